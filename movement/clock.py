"""The frame clock: BIOS ticks in, frame scale and whole nominal ticks out."""

import hashlib
import math
import struct
from dataclasses import dataclass

from movement.errors import MovementError
from movement.settings import MovementSettings

NOMINAL_SCALE = 256
"""The frame scale of one nominal update (eight fractional bits)."""

WINDOW_TICKS = 18
"""BIOS ticks of one measurement window."""

STARTUP_UPDATES = 12
START_FPS = 12
NOMINAL_SHIFT = 8
FINE_SHIFT = 5
FINE_TICKS_PER_TICK = 8
_TIMER_HERTZ = 1193182
_TIMER_PERIOD = 65536


def bios_tick_count(seconds: float) -> int:
    """Return the whole BIOS ticks in `seconds` since the program began (18.2065 a second).

    Convert the absolute time; never round frame by frame.

    Raises:
        MovementError: `seconds` is not finite.

    Source: movement facts, The clock behind "BIOS ticks".
    """
    if not math.isfinite(seconds):
        raise MovementError(f"seconds: need a finite number, found {seconds}")
    return math.floor(seconds * _TIMER_HERTZ / _TIMER_PERIOD)


def smooth_fps(smoothed: int, measured: int) -> int:
    """Return the smoothed FPS one update later: half the gap first when it is five or more, then one.

    Source: movement, FPS-derived frame scale.
    """
    gap = abs(measured - smoothed)
    step = (gap // 2 if gap >= 5 else 0) + (1 if gap else 0)
    return smoothed + step if measured > smoothed else smoothed - step


def target_scale(fps: int, settings: MovementSettings) -> int:
    """Return `normal_frame_rate * 256 // fps` with `fps` clamped to the configured range.

    Source: movement, FPS-derived frame scale.
    """
    clamped = min(max(fps, settings.min_frame_rate), settings.max_frame_rate)
    return settings.normal_frame_rate * NOMINAL_SCALE // clamped


def smooth_scale(scale: int, target: int) -> int:
    """Return the scale one update nearer to `target`: falls at once, rises over several updates.

    Source: movement, FPS-derived frame scale (use_smooth_divisor).
    """
    if scale > target:
        scale -= 1
    elif scale < target:
        scale += 1
    if scale >= target:
        return target
    remaining = target - scale
    if remaining <= 5:
        return scale + 1
    if remaining <= 10:
        return scale + 5
    if remaining <= 20:
        return scale + 10
    return scale + 20


def tick_increment(accumulator: int, scale: int, shift: int = NOMINAL_SHIFT) -> int:
    """Return how many whole ticks adding `scale` to `accumulator` completes.

    `shift` is 8 for nominal ticks (1/256 each) and 5 for the finer counter (1/32 each).

    Source: movement, Whole nominal ticks.
    """
    return ((accumulator + scale) >> shift) - (accumulator >> shift)


@dataclass(frozen=True, slots=True)
class Measurement:
    """The state of the FPS measurement after one sample."""

    frame_count: int
    tick_remainder: int
    fps: int


def measure_fps(frame_count: int, tick_remainder: int, fps: int, elapsed_ticks: int) -> Measurement:
    """Return the measurement after one more frame and `elapsed_ticks` BIOS ticks.

    A complete window (18 ticks) makes FPS the frame count divided by the complete windows, integer division;
    the tick remainder is retained. A negative accumulated count is clamped to zero.

    Source: movement, FPS-derived frame scale.
    """
    frame_count += 1
    ticks = max(tick_remainder + elapsed_ticks, 0)
    windows, remainder = divmod(ticks, WINDOW_TICKS)
    if windows:
        return Measurement(0, remainder, frame_count // windows)
    return Measurement(frame_count, remainder, fps)


@dataclass(frozen=True, slots=True)
class Frame:
    """What one clock update hands to movement: eight-bit scale, whole nominal ticks, 1/8 nominal ticks."""

    scale: int
    ticks: int
    fine_ticks: int


NOMINAL_FRAME = Frame(NOMINAL_SCALE, 1, FINE_TICKS_PER_TICK)


@dataclass(frozen=True, slots=True)
class SavedTiming:
    """What a blocking operation or a menu keeps of the clock; the baseline is relative to the last sample."""

    baseline_difference: int
    frame_count: int
    measured_fps: int
    next_scale: int
    nominal_accumulator: int
    fine_accumulator: int


_FIELDS = (
    "frame_count",
    "tick_remainder",
    "baseline",
    "last_sample",
    "measured_fps",
    "smoothed_fps",
    "scale",
    "next_scale",
    "nominal_accumulator",
    "fine_accumulator",
    "startup_countdown",
)
_LAYOUT = struct.Struct("<4s11q")
_TAG = b"FXC1"


class FrameClock:
    """The shared frame clock. It reads no wall clock: the caller samples the BIOS tick count.

    Attributes are the rule's own state: `frame_count`, `tick_remainder`, `baseline`, `last_sample` (BIOS
    ticks), `measured_fps`, `smoothed_fps`, `scale` (exposed), `next_scale`, `nominal_accumulator` (0..255),
    `fine_accumulator` (0..31), `startup_countdown`.

    Source: movement, FPS-derived frame scale and Whole nominal ticks.
    """

    __slots__ = ("settings", *_FIELDS)

    def __init__(self, settings: MovementSettings | None = None) -> None:
        self.settings = settings or MovementSettings()
        self.last_sample = 0
        self.fine_accumulator = 0
        self.reset()

    def reset(self) -> None:
        """Reset the timing. The baseline becomes zero, not the current tick; the finer counter stays."""
        self.frame_count = 0
        self.tick_remainder = 0
        self.baseline = 0
        self.nominal_accumulator = 0  # reading: a reset leaves the finer accumulator
        self.measured_fps = START_FPS
        self.smoothed_fps = START_FPS
        self.scale = NOMINAL_SCALE
        self.next_scale = NOMINAL_SCALE
        self.startup_countdown = STARTUP_UPDATES

    def assume_rate(self, fps: int) -> None:
        """Begin as if `fps` frames a second had been measured, without smoothing up to it (ours).

        A reset assumes 12 frames a second, and the first measurement ends a second later: a game that starts at
        sixty would move five times too fast until then. Call it after a reset, when the rate is known or likely.

        Raises:
            MovementError: `fps` is less than 1.
        """
        if fps < 1:
            raise MovementError(f"fps: need 1 or more, found {fps}")
        self.measured_fps = self.smoothed_fps = fps
        self.next_scale = target_scale(fps, self.settings)

    def enter_world(self) -> None:
        """Start the twelve-update countdown again; measurement and accumulation go on."""
        self.startup_countdown = STARTUP_UPDATES

    def update(self, bios_tick: int) -> Frame:
        """Return the next frame from the absolute BIOS tick count.

        During the startup countdown the frame is nominal (256, 1, 8) while everything beneath it goes on.

        Raises:
            MovementError: `bios_tick` is not an integer of 64 bits.
        """
        _check_tick(bios_tick)
        settings = self.settings
        measurement = measure_fps(
            self.frame_count, self.tick_remainder, self.measured_fps, bios_tick - self.baseline
        )
        self.frame_count = measurement.frame_count
        self.tick_remainder = measurement.tick_remainder
        self.measured_fps = measurement.fps
        self.baseline = self.last_sample = bios_tick
        self.smoothed_fps = smooth_fps(self.smoothed_fps, self.measured_fps)

        starting = self.startup_countdown > 0
        smooth = settings.use_smooth_fps and not starting
        target = target_scale(self.smoothed_fps if smooth else self.measured_fps, settings)
        if settings.use_smooth_divisor and not starting:
            self.next_scale = smooth_scale(self.next_scale, target)
        else:
            self.next_scale = target
        computed = self.next_scale  # reading: an update exposes the scale it has just computed
        ticks = tick_increment(self.nominal_accumulator, computed)
        fine_ticks = tick_increment(self.fine_accumulator, computed, FINE_SHIFT)
        self.nominal_accumulator = (self.nominal_accumulator + computed) & 255
        self.fine_accumulator = (self.fine_accumulator + computed) & 31
        if starting:
            self.startup_countdown -= 1
            self.scale = NOMINAL_SCALE
            return NOMINAL_FRAME
        self.scale = computed
        return Frame(computed, ticks, fine_ticks)

    def save(self, bios_tick: int | None = None) -> SavedTiming:
        """Return what a blocking operation (loading, a menu) saves of the timing.

        `bios_tick`, the tick of the call, is accepted for symmetry with `restore`; the rule takes the last
        tick that an update sampled, so a save after an update has difference 0.
        """
        if bios_tick is not None:
            _check_tick(bios_tick)
        return SavedTiming(
            self.last_sample - self.baseline,
            self.frame_count,
            self.measured_fps,
            self.next_scale,
            self.nominal_accumulator,
            self.fine_accumulator,
        )

    def restore(self, saved: SavedTiming | bytes, bios_tick: int | None = None) -> None:
        """Restore saved timing at the current `bios_tick`, or a whole `snapshot` (bytes, no tick).

        Saved timing: the baseline becomes the current tick less the saved difference, so suspended time
        does not count. Measurement remainder, smoothed FPS, startup countdown and exposed scale stay.

        Raises:
            MovementError: the blob is no clock snapshot, or saved timing comes without a tick.
        """
        if isinstance(saved, bytes):
            self._restore_snapshot(saved)
            return
        if bios_tick is None:
            raise MovementError("bios_tick: restoring saved timing needs the current BIOS tick, found None")
        _check_tick(bios_tick)
        self.baseline = bios_tick - saved.baseline_difference
        self.last_sample = bios_tick
        self.frame_count = saved.frame_count
        self.measured_fps = saved.measured_fps
        self.next_scale = saved.next_scale
        self.nominal_accumulator = saved.nominal_accumulator
        self.fine_accumulator = saved.fine_accumulator

    def snapshot(self) -> bytes:
        """Return every field that decides the future, for `restore`; settings are not part of it."""
        return _LAYOUT.pack(_TAG, *(getattr(self, name) for name in _FIELDS))

    def digest(self) -> str:
        """Return a hex digest of the clock's state."""
        return hashlib.sha256(self.snapshot()).hexdigest()

    def _restore_snapshot(self, blob: bytes) -> None:
        if len(blob) != _LAYOUT.size or blob[:4] != _TAG:
            raise MovementError(
                f"clock snapshot: need {_LAYOUT.size} bytes with tag {_TAG!r}, found {blob[:4]!r}"
            )
        for name, value in zip(_FIELDS, _LAYOUT.unpack(blob)[1:], strict=True):
            setattr(self, name, value)


def _check_tick(bios_tick: int) -> None:
    if isinstance(bios_tick, bool) or not isinstance(bios_tick, int) or not -(1 << 62) < bios_tick < 1 << 62:
        raise MovementError(f"bios_tick: need an integer tick count, found {bios_tick!r}")
