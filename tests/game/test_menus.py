"""Menus: what keys and mouse do on each screen."""

from pathlib import Path

from game.menus import OFFERED, Menus
from game.setting_keys import BY_PATH
from game.settings import Settings, default_text


def menus(tmp_path: Path, screen: str) -> Menus:
    path = tmp_path / "system.ini"
    path.write_text(default_text())
    made = Menus(Settings(path))
    made.show(screen)
    return made


def choose(made: Menus, name: str) -> None:
    screen = made.screen()
    assert screen is not None
    for _ in screen.rows:
        if made.screen().rows[made.chosen].name == name:  # type: ignore[union-attr]
            return
        made.key("down")
    raise AssertionError(f"{name} is not on {screen.name}")


def test_every_offered_setting_exists_and_every_row_can_be_drawn(tmp_path: Path) -> None:
    assert all(path in BY_PATH for path, _, _ in OFFERED)
    for name in ("title", "pause", "settings", "controls"):
        screen = menus(tmp_path, name).screen()
        assert screen is not None
        assert len({row.name for row in screen.rows}) == len(screen.rows)


def test_the_title_screen_plays_and_quits(tmp_path: Path) -> None:
    made = menus(tmp_path, "title")
    made.key("escape")
    assert made.open  # there is nothing below the title
    made.key("return")
    assert made.take_command() == "play"
    assert made.take_command() == ""
    assert not made.open


def test_escape_leaves_settings_then_resumes(tmp_path: Path) -> None:
    made = menus(tmp_path, "pause")
    choose(made, "settings")
    made.key("return")
    assert made.open_screens == ["pause", "settings"]
    made.key("escape")
    assert made.open_screens == ["pause"]
    made.key("escape")
    assert (made.open, made.take_command()) == (False, "resume")


def test_settings_change_by_steps_stay_in_range_and_are_kept(tmp_path: Path) -> None:
    made = menus(tmp_path, "settings")
    choose(made, "system.volume")
    made.key("right")
    assert made.settings.integer("system.volume") == 255  # it was at its end
    made.key("left")
    assert made.settings.integer("system.volume") == 240
    choose(made, "camera.glide_angle_y")
    made.key("right")
    assert made.settings.real("camera.glide_angle_y") == 0.2
    choose(made, "window.fullscreen")
    made.key("return")
    choose(made, "cyrus.walk_mode")
    made.key("return")
    kept = Settings(made.settings.path)
    assert kept.integer("system.volume") == 240
    assert kept.flag("window.fullscreen") is True
    assert kept.integer("cyrus.walk_mode") == 0


def test_rebinding_takes_the_key_from_whoever_had_it(tmp_path: Path) -> None:
    made = menus(tmp_path, "controls")
    choose(made, "kick")
    made.key("return")
    assert "Press a key" in made.screen().hint  # type: ignore[union-attr]
    made.key("w")
    assert made.settings.text("keys.kick") == "w"
    assert made.settings.text("keys.forward") == "up"
    assert made.notice == "Forward has lost this key"
    made.key("return")
    made.key("escape")  # keeps the old one
    assert made.settings.text("keys.kick") == "w"
    assert made.open_screens == ["controls"]


def test_the_mouse_points_and_clicks(tmp_path: Path) -> None:
    made = menus(tmp_path, "pause")
    made.point("restart")
    assert made.screen().rows[made.chosen].name == "restart"  # type: ignore[union-attr]
    made.click(None)
    assert made.take_command() == ""
    made.click("quit")
    assert made.take_command() == "quit"
    assert made.open  # the game closes the window itself


def test_a_read_only_settings_file_is_said_and_the_value_holds(tmp_path: Path) -> None:
    made = menus(tmp_path, "settings")
    blocked = tmp_path / "file"
    blocked.write_text("")
    made.settings.path = blocked / "system.ini"
    choose(made, "system.volume")
    made.key("left")
    assert "can't be written" in made.screen().hint  # type: ignore[union-attr]
    assert made.settings.integer("system.volume") == 240
