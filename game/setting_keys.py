"""Every key of the settings file: section, name, kind, default, range, and what it does."""

from __future__ import annotations

from dataclasses import dataclass

Value = bool | int | float | str


@dataclass(frozen=True)
class Key:
    """One setting. `low` and `high` are the inclusive range of a number."""

    section: str
    name: str
    default: Value
    text: str
    low: float = 0
    high: float = 1_000_000

    @property
    def path(self) -> str:
        """The name by which `set` and `--set` know it: section.key."""
        return f"{self.section}.{self.name}"

    @property
    def kind(self) -> type:
        """The type of its values: bool, int, float or str."""
        return type(self.default)


SECTIONS = {
    "system": "Clock, collision and sound rules of the player controller (names and values of the original).",
    "cyrus": "The player's turning and pushing.",
    "game": "Falling, sliding and swimming, in map units (64 a metre).",
    "camera": "The follow camera, in map units. A glide is the share of the way that is closed in a nominal tick.",
    "xngine": "What the renderer sees, in map units.",
    "player": "Ours: what the original leaves open.",
    "physics": "Ours: the rigid-body world.",
    "window": "Ours: the window.",
    "keys": "Ours: at most two keys an action, named as the controls screen shows them, with a comma.",
}

KEYS = (
    Key(
        "system",
        "normal_frame_rate",
        12,
        "frames a second at which one frame is one nominal tick; 0 means 12",
    ),
    Key("system", "min_frame_rate", 6, "the slowest rate that the frame scale follows", 1),
    Key("system", "max_frame_rate", 300, "the fastest rate that the frame scale follows", 1),
    Key("system", "use_smooth_fps", True, "follow the smoothed rate instead of the measured one"),
    Key("system", "use_smooth_divisor", True, "let the frame scale rise in small steps"),
    Key(
        "system", "post_collide_height", 50, "height of the legs that collision spheres leave free", 0, 10_000
    ),
    Key(
        "system", "standing_height", -2, "added to the support's height when the player stands", -1_000, 1_000
    ),
    Key(
        "system",
        "slide_range",
        -60000,
        "walls met more head-on than this stop instead of sliding",
        -65536,
        65536,
    ),
    Key("system", "animation_system", True, "a walk waits until its animation group is current"),
    Key("system", "jump_time", 6, "nominal ticks from take-off to the top of a jump", 1, 1_000),
    Key("system", "jump_height", 80, "height of a jump in map units", 0, 10_000),
    Key("system", "sound_distance", 64, "how far sounds carry, in 36 map units", 1, 10_000),
    Key("system", "volume", 255, "volume of all sounds, 0 to 255", 0, 255),
    Key("cyrus", "turn_speed", 12, "added to a turn each update while the key is held", 0, 2_048),
    Key("cyrus", "turn_max_speed", 48, "a turn stops growing here", 0, 2_048),
    Key("cyrus", "poly_push_units", 16, "least distance by which faces push the player away", 0, 1_024),
    Key("cyrus", "walk_mode", 1, "1: run until E is pressed, 0: walk until E is pressed", 0, 1),
    Key("cyrus", "tap_time", 12, "nominal ticks within which a key press counts as a tap", 0, 1_000),
    Key("cyrus", "camera_distance", 200, "distance of the camera behind a running player", 1, 10_000),
    Key("cyrus", "smooth_post_min", 2, "least step of the eased support height", 0, 1_000),
    Key("cyrus", "smooth_post_max", 10, "greatest step of the eased support height", 0, 1_000),
    Key("cyrus", "smooth_post_divisor", 2, "part of the height left that one step covers", 1, 1_000),
    Key("game", "fall_bounce_height", 100, "falls higher than this bounce", 0, 100_000),
    Key("game", "fall_hurt_height", 300, "falls higher than this hurt", 0, 100_000),
    Key("game", "fall_death_height", 568, "falls higher than this kill", 0, 100_000),
    Key("game", "slide_speed", 36, "speed on ground too steep to stand on", 0, 1_000),
    Key("game", "swim_depth", 40, "water deeper than this is swum in", 0, 10_000),
    Key("camera", "camera_distance", 250, "distance of the camera behind the player", 1, 10_000),
    Key("camera", "camera_min_distance", 120, "distance below which it does not come by itself", 0, 10_000),
    Key("camera", "obstacle_size", 20, "radius kept free of walls between player and camera", 0, 1_000),
    Key("camera", "camera_size", 10, "radius kept free around the camera", 0, 1_000),
    Key("camera", "glide_x", 0.9, "share of the way along X that it closes in a nominal tick", 0.0, 0.999),
    Key("camera", "glide_y", 0.2, "the same upwards: stairs and jumps are smoothed", 0.0, 0.999),
    Key("camera", "glide_z", 0.9, "the same along Z", 0.0, 0.999),
    Key("camera", "glide_angle_x", 0.7, "the same of its pitch", 0.0, 0.999),
    Key("camera", "glide_angle_y", 0.1, "the same of its heading: it comes round slowly", 0.0, 0.999),
    Key("camera", "glide_angle_z", 0.7, "the same of its roll (the camera never rolls)", 0.0, 0.999),
    Key("camera", "max_vel", 8000, "greatest speed of the camera, map units a second", 1),
    Key("camera", "max_y_vel", 5000, "greatest vertical speed, map units a second", 1),
    Key("camera", "max_acc", 5000, "greatest acceleration, map units a second squared", 1),
    Key("xngine", "front_plane", 7, "nothing nearer is drawn", 1, 1_000),
    Key("xngine", "back_plane", 3800, "nothing farther is drawn", 100, 1_000_000),
    Key("xngine", "ambient_light", 32, "light in the shade, 0 to 255", 0, 255),
    Key(
        "xngine", "haze_depth", 768, "distance over which haze closes in before the back plane", 1, 1_000_000
    ),
    Key("player", "kick_impulse", 14.0, "impulse of a kick, newton seconds", 0.0, 1_000.0),
    Key("player", "push_force", 220.0, "force with which the player pushes bodies, newton", 0.0, 100_000.0),
    Key(
        "player",
        "ball_push",
        9.0,
        "force with which keys push the taken ball, newton a kilogram",
        0.0,
        1_000.0,
    ),
    Key("physics", "passes", 4, "times that contacts and joints are solved a PSI", 1, 64),
    Key("physics", "sleeping", True, "bodies at rest freeze"),
    Key("window", "width", 1280, "width in pixels", 320, 16_384),
    Key("window", "height", 720, "height in pixels", 200, 16_384),
    Key("window", "fullscreen", False, "start on the whole screen"),
    Key("window", "vsync", True, "wait for the screen's refresh"),
    Key("window", "fps_limit", 120, "frames a second at most; 0 is no limit", 0, 1_000),
    Key("window", "pause_on_focus_loss", True, "pause when another window is used"),
    Key("keys", "forward", "w, up", "walk forward"),
    Key("keys", "back", "s, down", "step back"),
    Key("keys", "left", "a, left", "turn left"),
    Key("keys", "right", "d, right", "turn right"),
    Key("keys", "walk_toggle", "e", "change between walking and running"),
    Key("keys", "jump", "space", "jump"),
    Key("keys", "kick", "f", "kick what lies ahead"),
    Key("keys", "take_ball", "tab", "take the ball, or leave it"),
    Key("keys", "restart", "r", "back to the last checkpoint"),
    Key("keys", "rewind", "backspace", "hold: back in time, ten seconds at most"),
    Key("keys", "overlay", "f1", "show contacts, spheres, support probe, sleeping units"),
    Key("keys", "screenshot", "f2", "write a picture"),
    Key("keys", "console", "f12", "open the console"),
    Key("keys", "pause", "escape", "pause menu"),
)

BY_PATH = {key.path: key for key in KEYS}
