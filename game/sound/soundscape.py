"""What a session sounds like: happenings and rolling balls become placed sounds."""

from __future__ import annotations

from game.happenings import Happening
from game.rules.vectors import Vector, length
from game.session import Session
from game.settings import Settings
from game.sound.audio import Audio

QUIETEST_IMPACT = 0.3  # m/s of change that an impact must give to be heard
LOUDEST_IMPACT = 6.0
FASTEST_ROLL = 7.0  # m/s at which rolling is loudest
IMPACT_SOUNDS = {"stone": "impact_stone", "metal": "impact_metal", "paper": "impact_paper"}
STEP_SOUNDS = {
    "stone": "step_stone",
    "wood": "step_wood",
    "grass": "step_grass",
    "sand": "step_sand",
    "metal": "step_metal",
    "water": "step_water",
}
PLAIN = {
    "kick": "kick",
    "jumped": "jump",
    "hurt": "hurt",
    "died": "hurt",
    "bounced": "step_stone",
    "objective": "chime",
    "checkpoint": "chime",
    "take_ball": "click",
    "change": "click",
    "plate": "click",
    "splash": "splash",
    "stroke": "step_water",
}


class Soundscape:
    """Turns what a session reports into sounds, heard from its camera's target."""

    def __init__(self, settings: Settings, session: Session) -> None:
        self.settings = settings
        self.audio = Audio()
        self.audio.open()
        self.enter(session)
        self._take_settings()
        settings.watch(lambda paths: self._take_settings())

    def enter(self, session: Session) -> None:
        """Listen to another session from now on."""
        self.audio.quiet()
        self._names = {body.name: body for body in session.level.bodies}

    def _take_settings(self) -> None:
        self.audio.volume = self.settings.integer("system.volume")
        self.audio.sound_distance = self.settings.integer("system.sound_distance")

    def update(self, session: Session) -> None:
        """Play what the last frame brought."""
        self.audio.played.clear()
        for happening in session.happenings:
            self._play(happening, session)
        self._roll(session)

    def _play(self, happening: Happening, session: Session) -> None:
        if happening.kind == "impact":
            speed = happening.strength
            if speed < QUIETEST_IMPACT:
                return
            name = IMPACT_SOUNDS.get(happening.text, "impact_wood")
            self._at(name, happening.at, session, min(speed / LOUDEST_IMPACT, 1.0))
        elif happening.kind == "step":
            self._at(STEP_SOUNDS.get(happening.text, "step_stone"), happening.at, session, 0.6)
        elif happening.kind in PLAIN:
            self._at(PLAIN[happening.kind], happening.at, session, 1.0)

    def _at(self, name: str, at: Vector | None, session: Session, gain: float) -> None:
        if at is None:
            self.audio.play(name, gain=gain)
            return
        listener = session.bridge.to_runtime(session.target_position())
        self.audio.play(name, session.bridge.to_runtime(at), listener, gain)

    def _roll(self, session: Session) -> None:
        for name, data in self._names.items():
            if "ball" not in data.tags and name != session.level.course.ball:
                continue
            body = session.bodies[name]
            speed = 0.0 if body.frozen else length((float(body.velocity[0]), 0.0, float(body.velocity[2])))
            touching = abs(float(body.velocity[1])) < 1.0
            self.audio.loop(name, "rolling", min(speed / FASTEST_ROLL, 1.0) * 0.5 if touching else 0.0)

    def click(self) -> None:
        """A row of a menu was chosen."""
        self.audio.play("click", gain=0.5)

    def pause(self) -> None:
        """End what sounds: the game stands still."""
        self.audio.quiet()

    def close(self) -> None:
        """Let go of the sound device."""
        self.audio.close()
