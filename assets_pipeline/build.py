"""Builds levels: level.toml and the files it names in, one level file out; kept in the user's cache by content."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import assets_pipeline
import movement
import physics
from assets_pipeline import packfile
from assets_pipeline.authoring.manifest import Manifest, read_manifest
from assets_pipeline.building.bodies import BodyBuilder, Solids
from assets_pipeline.building.contents import contents_of
from assets_pipeline.building.ground import build_terrain, flat_terrain
from assets_pipeline.building.joints import joints_of
from assets_pipeline.building.map_file import actor_of, lamps_of, markers_of, note_unused_sections
from assets_pipeline.building.notes import Notes
from assets_pipeline.building.render_meshes import MeshList
from assets_pipeline.building.walking import build_movement
from assets_pipeline.errors import LevelError, PackfileError
from assets_pipeline.havok.contents import Physics
from assets_pipeline.level import FORMAT_VERSION, Level
from assets_pipeline.level_bodies import BallShape, Body, Joint
from assets_pipeline.level_play import BallKind, Course
from assets_pipeline.scene.binary import read_file
from assets_pipeline.scene.rgm import read_rgm
from assets_pipeline.scene.surface_ini import read_surface_ini
from assets_pipeline.scene.wld import read_wld
from movement.errors import MovementError
from physics.errors import PhysicsError

Progress = Callable[[str, float], None]  # what is being done, and how much is done, 0..1

CACHE_NAME = "fixstep"
HOME_VARIABLE = "FIXSTEP_HOME"  # keeps everything of a user in one folder: tests, portable copies
CODE_SUFFIXES = (".py", ".pyx", ".pxd")


@dataclass(frozen=True)
class Sources:
    """The bytes of the files that a manifest names, read once, so that what is hashed is what is built."""

    manifest: Manifest
    files: dict[str, bytes]

    def hashes(self) -> dict[str, str]:
        """Return the SHA-256 of each file, in hex."""
        return {name: hashlib.sha256(data).hexdigest() for name, data in sorted(self.files.items())}


def build_level(path: str | os.PathLike[str], progress: Progress | None = None) -> Level:
    """Return the level that a level.toml describes, built from its sources.

    Args:
        path: the level.toml.
        progress: called before each stage with its name and the part that is done.

    Raises:
        LevelError: a source is missing or wrong; the text says which, where and what was expected.
    """
    say = progress or (lambda stage, part: None)
    say("reading level.toml", 0.0)
    manifest = read_manifest(path)
    say("making sources", 0.05)
    with _source_folder(manifest) as folders:
        sources = _read_sources(manifest, folders)
    try:
        return _build(sources, say)
    except (PackfileError, PhysicsError, MovementError) as error:
        raise LevelError(f"{manifest.path}: {error}") from error


def _build(sources: Sources, say: Progress) -> Level:
    manifest, files, notes = sources.manifest, sources.files, Notes()
    meshes = MeshList(manifest.surfaces)
    say("reading packfiles", 0.15)
    contents = [(name, _read_packfile(name, files[name], notes)) for name in manifest.packfiles]
    say("building bodies", 0.3)
    builder = BodyBuilder(manifest.surfaces, manifest.body_rules, meshes, notes)
    for name, physics_data in contents:
        builder.add_file(name, physics_data)
    solids = builder.finish()
    joints: list[Joint] = []
    for name, physics_data in contents:
        joints += joints_of(name, physics_data, solids, notes)
    say("building terrain", 0.5)
    surface_table = None
    if manifest.surface_file:
        surface_table = read_surface_ini(files[manifest.surface_file], manifest.surface_file)
    terrain = flat_terrain(manifest)
    if manifest.terrain:
        wld = read_wld(files[manifest.terrain], manifest.terrain)
        terrain, static = build_terrain(wld, surface_table, manifest, notes)
        solids.statics.append(static)
    say("cutting movement models", 0.6)
    movement_data = build_movement(solids, manifest)
    say("reading the map file", 0.9)
    rgm = read_rgm(files[manifest.map_file], manifest.map_file)
    note_unused_sections(rgm, notes)
    level = Level(
        format_version=FORMAT_VERSION,
        name=manifest.name,
        title=manifest.title,
        sources=sources.hashes(),
        origin=manifest.origin,
        scale=manifest.scale,
        gravity=manifest.gravity,
        surfaces=manifest.surfaces,
        meshes=(),
        statics=tuple(solids.statics),
        bodies=_with_devices(manifest, solids),
        joints=(*joints, *manifest.joints),
        springs=manifest.springs,
        movement=movement_data,
        terrain=terrain,
        actor=actor_of(rgm, manifest),
        markers=markers_of(rgm, manifest.play.markers),
        spawn=manifest.spawn,
        triggers=manifest.play.triggers,
        objectives=manifest.play.objectives,
        checkpoints=manifest.play.checkpoints,
        movers=manifest.play.movers,
        swings=manifest.play.swings,
        plates=manifest.play.plates,
        waters=manifest.play.waters,
        course=_course(manifest, meshes),
        sky=replace(manifest.sky, lights=(*manifest.sky.lights, *lamps_of(rgm, manifest))),
        notes=notes.lines(),
    )
    level = replace(level, meshes=tuple(meshes.meshes))
    say("checking", 0.95)
    try:
        level.check()
    except LevelError as error:
        raise LevelError(f"{manifest.path}: {error}") from error
    say("built", 1.0)
    return level


def _with_devices(manifest: Manifest, solids: Solids) -> tuple[Body, ...]:
    """Return the bodies; those that a device moves are kinematic."""
    driven = {mover.body for mover in manifest.play.movers} | {swing.body for swing in manifest.play.swings}
    return tuple(replace(body, kinematic=True) if body.name in driven else body for body in solids.bodies)


def _course(manifest: Manifest, meshes: MeshList) -> Course:
    """Return the ball course with a mesh for each ball kind."""
    play = manifest.play
    indices = {surface.name: index for index, surface in enumerate(manifest.surfaces)}
    kinds = tuple(
        BallKind(
            name=kind.name,
            surface=indices[kind.surface],
            radius=kind.radius,
            mass=kind.mass,
            linear_damping=kind.linear_damping,
            angular_damping=kind.angular_damping,
            push=kind.push,
            mesh=meshes.add(f"ball {kind.name}", BallShape(kind.radius), indices[kind.surface], turns=True),
        )
        for kind in play.ball_kinds
    )
    return Course(play.ball, play.ball_kind, kinds, play.take_distance)


def _read_packfile(name: str, data: bytes, notes: Notes) -> Physics:
    try:
        return contents_of(name, packfile.read(data), notes)
    except PackfileError as error:
        raise LevelError(f"{name}: {error}") from error


# ---------------------------------------------------------------------------------------------------------
# Sources


@contextlib.contextmanager
def _source_folder(manifest: Manifest) -> Iterator[list[Path]]:
    """Yield the folders to look for sources in: the generated ones first, where level.toml names a maker."""
    folder = manifest.path.parent
    if not manifest.make:
        yield [folder]
        return
    with tempfile.TemporaryDirectory(prefix="fixstep-") as made:
        make_sources(folder / manifest.make, Path(made))
        yield [Path(made), folder]


def make_sources(maker: Path, folder: Path) -> None:
    """Let a maker (a Python file with `write(folder)`) write the generated sources of a level into a folder.

    Raises:
        LevelError: the file can't be read or has no `write`, or writing failed.
    """
    if not maker.is_file():
        raise LevelError(f"{maker}: can't be read: no such file")
    spec = importlib.util.spec_from_file_location(f"fixstep_sources_{maker.parent.name}", maker)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    keep = sys.dont_write_bytecode
    try:
        sys.dont_write_bytecode = True  # a level folder may be read-only, and is no place for caches
        spec.loader.exec_module(module)
        write = getattr(module, "write", None)
        if not callable(write):
            raise LevelError(f"{maker}: expected a function write(folder), found none")
        write(folder)
    except LevelError:
        raise
    except Exception as error:  # whatever the author's code raises becomes one line with its place
        raise LevelError(f"{maker}: {_place_in(maker, error)}{type(error).__name__}: {error}") from error
    finally:
        sys.dont_write_bytecode = keep


def _place_in(maker: Path, error: Exception) -> str:
    """Return the line of `maker` that an error went through, as a prefix; empty where there is none."""
    lines = [
        frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(maker)
    ]
    return f"line {lines[-1]}: " if lines else ""


def _read_sources(manifest: Manifest, folders: list[Path]) -> Sources:
    """Return the bytes of every source."""
    names = [*manifest.packfiles, manifest.terrain, manifest.map_file, manifest.surface_file]
    files = {manifest.path.name: read_file(manifest.path)}
    if manifest.make:
        files[manifest.make] = read_file(manifest.path.parent / manifest.make)
    for name in filter(None, names):
        found = next((folder / name for folder in folders if (folder / name).is_file()), None)
        if found is None:
            raise LevelError(f"{manifest.path}: [sources]: {name}: no such file in {manifest.path.parent}")
        files[name] = read_file(found)
    return Sources(manifest, files)


# ---------------------------------------------------------------------------------------------------------
# The cache


def cached_level(path: str | os.PathLike[str], progress: Progress | None = None) -> Path:
    """Return the file of a built level, building it only where its sources or this program have changed.

    Args:
        path: the level.toml.
        progress: as in `build_level`; not called where nothing is built.

    Raises:
        LevelError: as in `build_level`.
        OSError: the cache folder can't be written.
    """
    target = cache_folder() / f"{Path(path).parent.name}-{content_key(path)[:24]}.npz"
    if not target.is_file():
        build_level(path, progress).save(target)
        _forget_old(target)
    return target


def content_key(path: str | os.PathLike[str]) -> str:
    """Return the SHA-256 of a level's folder and of the program that builds it, in hex.

    Raises:
        LevelError: the level.toml or a file beside it can't be read.
    """
    manifest = read_manifest(path)
    folder = manifest.path.parent
    digest = hashlib.sha256(f"{FORMAT_VERSION} {sys.version_info[:2]}".encode())
    files = sorted(file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    roots = [Path(str(package.__file__)).parent for package in (assets_pipeline, physics, movement)]
    for root in [*roots, *(folder / name for name in manifest.made_with)]:
        if not root.exists():
            raise LevelError(f"{manifest.path}: made_with: {root}: no such file or folder")
        code = [root] if root.is_file() else sorted(root.rglob("*"))
        files += [file for file in code if file.suffix in CODE_SUFFIXES]
    for file in files:
        data = read_file(file)
        digest.update(f"{file.name} {len(data)} ".encode() + data)
    return digest.hexdigest()


def cache_folder() -> Path:
    """Return the folder of built levels in the user's cache; it may not exist yet."""
    home = os.environ.get(HOME_VARIABLE)
    if home:
        return Path(home) / "cache" / "levels"
    with contextlib.suppress(ImportError):
        import platformdirs

        return Path(platformdirs.user_cache_dir(CACHE_NAME, appauthor=False)) / "levels"
    base = os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / CACHE_NAME / "levels"


def _forget_old(target: Path) -> None:
    """Remove the files of the same level that other sources or programs have left in the cache."""
    name = target.name.rsplit("-", 1)[0]
    for old in target.parent.glob(f"{name}-*.npz"):
        if old != target and len(old.stem) == len(target.stem):
            with contextlib.suppress(OSError):
                old.unlink()
