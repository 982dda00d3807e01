"""How solutions show themselves: as a page to look around in, and in notebooks."""

from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["Browsable"]


def _browser() -> "ModuleType":
    """The pages, which know solutions, while solutions need not know pages until one is wanted."""
    return import_module("liarsolve.report.browser")


class Browsable:
    """What solutions of two-player cup games and of bidding have to be looked at."""

    __slots__ = ()

    def export_html(
        self, path: str | PathLike[str], *, min_reach: float | None = None, values: bool = True
    ) -> Any:  # Any: a Page of the layer above
        """Write one HTML file to look around in the strategy, which opens without a server.

        Parameters
        ----------
        path : str or path
            The file; one that is there already is replaced.
        min_reach : float, optional
            Write the states to which play comes so often or more. By default those with a chance
            of a thousandth, and all states of rounds that have at most 1,000.
        values : bool
            Whether expected values are worked out, which takes long in large rounds of bidding.

        Returns
        -------
        Page
            What was written: ``n_bytes``, ``n_written`` states and ``min_reach``.

        Raises
        ------
        InputError
            If ``min_reach`` is no chance, or the page would be larger than 25 MB.
        StorageError
            If the file cannot be written.
        """
        return _browser().export_html(self, path, min_reach=min_reach, values=values)

    def explore(
        self, *, min_reach: float | None = None, values: bool = True
    ) -> Any:  # Any: as above
        """Show that page in a notebook, in a frame; arguments as of `export_html`."""
        return _browser().explore(self, min_reach=min_reach, values=values)

    def _repr_html_(self) -> str:
        """Write the opening as a table, which notebooks show."""
        text: str = _browser().opening_table(self)
        return text
