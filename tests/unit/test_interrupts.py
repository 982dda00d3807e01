"""Ctrl-C that comes at a bad moment is raised a moment later, and never lost."""

import signal
import threading
import time

import pytest

from liarsolve._interrupts import Interrupts, listen


def interrupt_and_note(noted):
    signal.raise_signal(signal.SIGINT)
    noted.append("went on")


def cb(noted):  # named as the callback in which the import system drops exceptions
    interrupt_and_note(noted)


def cb_and_wait(noted):
    cb(noted)
    while True:
        time.sleep(0.001)


def test_inside_a_callback_nothing_is_raised_and_after_it_at_once():
    noted = []
    with listen(), pytest.raises(KeyboardInterrupt):
        cb_and_wait(noted)
    assert noted == ["went on"]


def test_elsewhere_it_is_raised_where_it_comes():
    noted = []
    with listen(), pytest.raises(KeyboardInterrupt):
        interrupt_and_note(noted)
    assert noted == []


def test_whoever_holds_it_is_not_disturbed_by_the_timer():
    noted = []
    with listen() as interrupts, interrupts.held():
        cb(noted)
        interrupts.try_again(signal.SIGALRM, None)
        assert interrupts.is_waiting
        interrupts.n_answered = interrupts.n_come
    assert noted == ["went on"]


def test_handlers_are_put_back():
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGALRM)
    with listen():
        assert signal.getsignal(signal.SIGINT) != before[0]
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGALRM)) == before


def test_an_inner_listener_is_told_while_it_listens():
    told = []
    with listen() as outer:
        with listen(lambda: told.append(1)) as inner, inner.held():
            assert inner is outer
            signal.raise_signal(signal.SIGINT)
        outer.n_answered = outer.n_come
        assert outer.on_interrupt is None
    assert told == [1]


def test_other_threads_change_nothing():
    found = []

    def ask():
        with listen() as interrupts:
            found.append(interrupts)

    thread = threading.Thread(target=ask)
    before = signal.getsignal(signal.SIGINT)
    thread.start()
    thread.join()
    assert isinstance(found[0], Interrupts)
    assert signal.getsignal(signal.SIGINT) == before
