"""Solved games as pages to look around in: one HTML file that needs no server and no network."""

from liarsolve.report.browser.export import (
    Explorer,
    Page,
    explore,
    export_html,
    make_page,
)
from liarsolve.report.browser.tables import opening_table

__all__ = ["Explorer", "Page", "explore", "export_html", "make_page", "opening_table"]
