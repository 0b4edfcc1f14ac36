"""Work that repeats over words, in several processes or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

from wsdlist.data.checks import check_whole
from wsdlist.errors import ParameterError

CONNECT_SECONDS = 10


Progress: TypeAlias = Callable[[str, int, int], None]  # what, done, of how many


@contextmanager
def cluster(address: str | None) -> Iterator[None]:
    """Hand work to the Dask scheduler at an address, through joblib; None: stay on this machine.

    Its workers must see files under the same paths. The models are the same, byte for byte.

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
    """Return what a function makes of each word, in order, with so many processes."""
    return [made for _, made in each(function, words, jobs, progress, doing)]


def each(
    function: Callable[..., Any],
    words: Mapping[str, Iterable[Any]],
    jobs: int,
    progress: Progress | None,
    doing: str,
) -> Iterator[tuple[str, Any]]:
    """Yield each word with what the function makes of it, as soon as it is made."""
    check_whole("jobs", jobs)
    from joblib import Parallel, delayed

    tasks = (delayed(function)(word, *data) for word, data in words.items())
    n_jobs = jobs if jobs > 1 else None  # None: one, or what a cluster has
    made = Parallel(n_jobs=n_jobs, return_as="generator")(tasks)
    for done, (word, one) in enumerate(zip(words, made, strict=True), start=1):
        if progress:
            progress(doing, done, len(words))
        yield word, one
