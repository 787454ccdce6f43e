"""SYSTEM.INI-style settings: reading, checking, changing, reloading."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import game.settings
from game.setting_keys import KEYS, SECTIONS, Key
from game.settings import Settings, SettingsError, default_text, find_key, parse_text, update_text

ROOT = Path(game.settings.__file__).parent


def test_every_key_has_the_installed_value_of_the_original() -> None:
    # facts_movement.md lists the installed values; a sample of each section.
    settings = Settings()
    assert settings.integer("system.normal_frame_rate") == 12
    assert settings.integer("system.slide_range") == -60000
    assert settings.integer("system.standing_height") == -2
    assert settings.integer("cyrus.turn_max_speed") == 48
    assert settings.integer("game.fall_death_height") == 568
    assert settings.real("camera.glide_y") == 0.2
    assert settings.integer("xngine.haze_depth") == 768
    assert settings.flag("system.use_smooth_fps") is True


def test_the_shipped_default_file_is_the_table() -> None:
    assert (ROOT / "system.ini").read_text(encoding="utf-8") == default_text()


def test_the_default_file_reads_back_as_the_defaults() -> None:
    values, problems = parse_text(default_text(), "system.ini")
    assert problems == []
    assert values == {key.path: key.default for key in KEYS}
    assert {key.section for key in KEYS} == set(SECTIONS)


def test_sections_and_keys_are_read_in_any_case_and_comments_are_left_out() -> None:
    values, problems = parse_text(
        "; x\n[CYRUS]\nTurn_Speed=16 ; faster\n[System]\nUSE_SMOOTH_FPS = Off\n", "s.ini"
    )
    assert values == {"cyrus.turn_speed": 16, "system.use_smooth_fps": False}
    assert problems == []


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("[cyrus]\nturn_sped = 3", 2, "did you mean cyrus.turn_speed"),
        ("[cyrus]\nturn_speed = fast", 2, "found 'fast', expected a whole number"),
        ("[cyrus]\nturn_speed = 2049", 2, "found 2049, expected 0 to 2048"),
        ("[camera]\nglide_x = nan", 2, "expected 0 to 0.999"),
        ("[system]\nuse_smooth_fps = maybe", 2, "expected yes or no"),
        ("[sistem]\nvolume = 3", 1, "did you mean [system]"),
        ("[system\nvolume = 3", 1, "found section"),
        ("[cyrus]\nturn_speed", 2, "expected key = value"),
    ],
)
def test_what_can_not_be_used_is_named_and_its_default_stays(text: str, line: int, words: str) -> None:
    values, problems = parse_text(text, "bad.ini")
    assert values == {}
    assert problems[0].startswith(f"bad.ini:{line}: ")
    assert words in problems[0]


def test_both_ends_of_a_range_are_allowed() -> None:
    settings = Settings(None, ["cyrus.turn_speed=0", "cyrus.turn_max_speed=2048"])
    assert (settings.integer("cyrus.turn_speed"), settings.integer("cyrus.turn_max_speed")) == (0, 2048)
    with pytest.raises(SettingsError, match="expected 0 to 2048"):
        settings.set("cyrus.turn_speed", "-1")
    assert settings.integer("cyrus.turn_speed") == 0


def test_an_override_wins_over_the_file(tmp_path: Path) -> None:
    path = tmp_path / "system.ini"
    path.write_text("[game]\nswim_depth = 50\nslide_speed = 40\n")
    settings = Settings(path, ["game.swim_depth=60"])
    assert settings.integer("game.swim_depth") == 60
    assert settings.integer("game.slide_speed") == 40


@pytest.mark.parametrize("word", ["cyrus.turn_speed", "turn_speed=3", "cyrus.turn_speed=x"])
def test_a_bad_override_is_refused(word: str) -> None:
    with pytest.raises(SettingsError):
        Settings(None, [word])


def test_a_changed_file_is_read_again_and_watchers_hear_what_changed(tmp_path: Path) -> None:
    path = tmp_path / "system.ini"
    path.write_text("[cyrus]\nturn_speed = 10\n")
    settings = Settings(path)
    heard: list[frozenset[str]] = []
    settings.watch(heard.append)
    assert not settings.reload_if_changed()
    path.write_text("[cyrus]\nturn_speed = 20\n[game]\nswim_depth = 40\n")  # 40 is the default: no change
    os.utime(path, ns=(1, 1))
    assert settings.reload_if_changed()
    assert settings.integer("cyrus.turn_speed") == 20
    assert heard == [frozenset({"cyrus.turn_speed"})]
    path.unlink()
    assert not settings.reload_if_changed()
    assert settings.integer("cyrus.turn_speed") == 20


def test_a_missing_or_unreadable_file_is_a_named_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="can't be read"):
        Settings(tmp_path / "none.ini")
    binary = tmp_path / "binary.ini"
    binary.write_bytes(b"\xff\xfe\x00\x81")
    with pytest.raises(SettingsError, match="not a text file"):
        Settings(binary)


def test_saving_keeps_comments_and_order(tmp_path: Path) -> None:
    path = tmp_path / "system.ini"
    path.write_text("; mine\n[cyrus]\nturn_speed = 10 ; slow\n\n[window]\nwidth = 800\n")
    settings = Settings(path)
    settings.save({"cyrus.turn_speed": 14, "cyrus.tap_time": 9, "camera.glide_x": 0.5})
    lines = path.read_text().splitlines()
    assert lines[0] == "; mine"
    assert lines[2] == "turn_speed = 14 ; slow"
    assert lines[3] == "tap_time = 9"
    assert lines[-2:] == ["[camera]", "glide_x = 0.5"]
    assert Settings(path).real("camera.glide_x") == 0.5


def test_a_folder_that_can_not_be_written_is_a_named_error_and_the_value_holds(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    settings = Settings()
    settings.path = blocked / "system.ini"  # below a file: can't be made, not even by root
    with pytest.raises(SettingsError, match="can't be written"):
        settings.save({"cyrus.turn_speed": 20})
    assert settings.integer("cyrus.turn_speed") == 20


@given(st.text(max_size=200))
def test_no_text_makes_the_reader_raise(text: str) -> None:
    values, problems = parse_text(text, "any.ini")
    assert all(problem.startswith("any.ini:") for problem in problems)
    assert all(path == find_key(path).path for path in values)


@given(st.sampled_from([key for key in KEYS if key.kind is int]), st.data())
def test_an_updated_text_reads_back_with_the_new_value(key: Key, data: st.DataObject) -> None:
    value = data.draw(st.integers(int(key.low), int(key.high)))
    for text in ("", default_text(), f"[{key.section}]\n{key.name} = {int(key.low)}"):
        values, problems = parse_text(update_text(text, {key.path: value}), "x")
        assert problems == []
        assert values[key.path] == value
