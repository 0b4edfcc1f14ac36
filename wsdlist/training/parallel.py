"""Work that repeats over words, in several processes or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

from wsdlist.data.checks import check_whole
from wsdlist.errors import ParameterError

CONNECT_SECONDS = 10

Progress: TypeAlias = Callable[[str, int, int], None]  # what is done, how much of it, of how much


@contextmanager
def cluster(address: str | None) -> Iterator[None]:
    """Give the work of the block to a Dask scheduler, through joblib.

    The workers of the cluster must see files under the same paths. The models are the same, byte
    for byte.

    Parameters
    ----------
    address
        The address of the scheduler; None to stay on this machine.

    Raises
    ------
    ParameterError
        When the extra ``dask`` is not installed, or no scheduler answers.
    """
    if address is None:
        yield
        return
    import joblib

    try:
        from distributed import Client
    except ImportError:
        raise ParameterError("--scheduler needs Dask", "install wsdlist[dask]") from None
    try:
        client = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise ParameterError(
            f"no Dask scheduler answers at {address}", "start one, or leave --scheduler out"
        ) from error
    with client, joblib.parallel_config(backend="dask", n_jobs=-1):
        yield


def parallel(
    function: Callable[..., Any],
    words: Mapping[str, Iterable[Any]],
    jobs: int,
    progress: Progress | None = None,
    doing: str = "",
) -> list[Any]:
    """Return the results of a function for all words, in order.

    Parameters
    ----------
    function
        Called with a word and its data.
    words
        The data of each word.
    jobs
        The number of processes.
    progress, doing
        Called with ``doing``, the number of words done, and that of all words.

    Raises
    ------
    ParameterError
        When ``jobs`` is below 1.
    """
    return [result for _, result in each(function, words, jobs, progress, doing)]


def each(
    function: Callable[..., Any],
    words: Mapping[str, Iterable[Any]],
    jobs: int,
    progress: Progress | None,
    doing: str,
) -> Iterator[tuple[str, Any]]:
    """Yield each word with the result of :func:`parallel`, as soon as it is there."""
    check_whole("jobs", jobs)
    from joblib import Parallel, delayed

    tasks = (delayed(function)(word, *data) for word, data in words.items())
    n_jobs = jobs if jobs > 1 else None  # None is one process, or the workers of a cluster
    results = Parallel(n_jobs=n_jobs, return_as="generator")(tasks)
    for done, (word, result) in enumerate(zip(words, results, strict=True), start=1):
        if progress:
            progress(doing, done, len(words))
        yield word, result
