"""Calls that are waited for in another thread."""

import signal
import threading

import pytest

from liarsolve.solvers.core.aside import run_aside


def test_results_and_errors_come_back():
    assert run_aside(lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        run_aside(lambda: 1 // 0)


def test_the_work_is_not_done_by_the_thread_that_answers_signals():
    assert run_aside(threading.current_thread) is not threading.current_thread()


def test_an_interrupt_does_not_wait_for_the_work():
    is_over = threading.Event()
    main = threading.main_thread().ident

    def work():
        signal.pthread_kill(main, signal.SIGINT)
        assert is_over.wait(60)

    with pytest.raises(KeyboardInterrupt):
        run_aside(work)
    assert not is_over.is_set()
    is_over.set()
