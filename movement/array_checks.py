"""Checks of the arrays that others hand over: dtype, shape, range; errors say where and what."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from movement.errors import MovementError


def floats(where: str, name: str, values: ArrayLike, shape: tuple[int | None, ...]) -> NDArray[np.float32]:
    """Return `values` as a float32 array of `shape` (None: any length); raise MovementError if it is not one."""
    try:
        with np.errstate(over="ignore"):
            array = np.array(values, np.float32, order="C")
    except (TypeError, ValueError) as error:
        raise MovementError(f"{where}: {name}: need numbers, got {type(values).__name__} ({error})") from None
    if array.shape == (0,) and shape[0] is None:  # no rows at all have no columns either
        array = np.zeros([length or 0 for length in shape], np.float32)
    check_shape(where, name, array.shape, shape)
    if not np.isfinite(array).all():
        raise MovementError(
            f"{where}: {name}: need finite numbers, row {first_bad(~np.isfinite(array))} is not"
        )
    return array


def integers(where: str, name: str, values: ArrayLike, shape: tuple[int | None, ...]) -> NDArray[np.int32]:
    """Return `values` as an int32 array of `shape` (None: any length); raise MovementError if it is not one."""
    array = np.asarray(values)
    if array.size == 0:
        array = array.astype(np.int32)
    if array.dtype.kind not in "iu":
        raise MovementError(f"{where}: {name}: need integers, got {array.dtype}")
    check_shape(where, name, array.shape, shape)
    in_range(where, name, array, -(2**31), 2**31 - 1)
    return np.array(array, np.int32, order="C")


def check_shape(where: str, name: str, found: tuple[int, ...], shape: tuple[int | None, ...]) -> None:
    """Raise MovementError unless `found` is `shape`, where None stands for any length."""
    if len(found) != len(shape) or any(
        want is not None and have != want for have, want in zip(found, shape, strict=True)
    ):
        wanted = ", ".join("n" if length is None else str(length) for length in shape)
        raise MovementError(f"{where}: {name}: need shape ({wanted}), got {found}")


def in_range(where: str, name: str, array: NDArray[Any], low: int, high: int) -> None:
    """Raise MovementError when an element of `array` lies outside `low` to `high`."""
    bad = (array < low) | (array > high)
    if bad.any():
        row = first_bad(bad)
        raise MovementError(f"{where}: {name}[{row}]: need {low} to {high}, got {array[row]}")


def same_total(
    where: str, counts_name: str, counts: NDArray[np.int32], name: str, array: NDArray[Any]
) -> None:
    """Raise MovementError unless the counts add up to the length of the array they cut."""
    total = int(counts.sum(dtype=np.int64))
    if total != len(array):
        raise MovementError(f"{where}: {counts_name} add up to {total}, but {name} has {len(array)} entries")


def first_bad(bad: NDArray[np.bool_]) -> int:
    """Return the first row that holds a True."""
    return int(np.argwhere(bad)[0][0])
