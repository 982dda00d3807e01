"""What is known of strategies, by kind."""

import pytest

from liarsolve.solvers import (
    BoundedLoss,
    Certificate,
    LowerBound,
    ProfileCertificate,
    Unmeasured,
    certificate_after,
)

PAIR = Certificate((0.3, -0.1))
PROFILE = ProfileCertificate((0.2, -0.1, -0.1), (0.3, -0.1, 0.0))
BOUND = LowerBound(
    value=0.05, lo=0.04, hi=0.06, confidence=0.95, n_deals=10, br_values=(0.2, -0.1), method="me"
)


@pytest.mark.parametrize("certificate", [PAIR, BoundedLoss(PAIR), PROFILE, Unmeasured()])
def test_no_property_raises_because_of_the_kind(certificate):
    has_value = isinstance(certificate, Certificate | BoundedLoss)
    is_measured = not isinstance(certificate, Unmeasured)
    assert (certificate.value_bounds is not None) == has_value
    assert (certificate.exploitability is not None) == has_value
    assert (certificate.nash_conv is not None) == is_measured
    assert (certificate.br_values is not None) == is_measured


def test_a_loss_that_is_only_bounded_says_what_it_is_at_most():
    bounded = BoundedLoss(PAIR, BOUND)
    assert bounded.value_bounds == PAIR.value_bounds
    assert bounded.exploitability == PAIR.exploitability == pytest.approx(0.1)
    assert bounded.nash_conv == PAIR.nash_conv
    assert bounded.br_values == PAIR.br_values
    match bounded:
        case BoundedLoss(lower_bound=LowerBound(value=least)):
            assert least == 0.05


def test_what_a_measurement_comes_to():
    assert certificate_after(PAIR, is_complete=True) is PAIR
    assert certificate_after(PROFILE, is_complete=True) is PROFILE
    assert certificate_after(PROFILE, is_complete=False) == Unmeasured()
    assert certificate_after(PAIR, is_complete=False) == BoundedLoss(PAIR)
    bounded = certificate_after(PAIR, is_complete=False, lower_bound=BOUND)
    assert bounded == BoundedLoss(PAIR, BOUND)
