"""Makes a packfile from nothing, reads it back, edits it, checks it and writes it in another layout.

Run: python examples/packfile_objects.py [FOLDER]
"""

import sys
import tempfile
from pathlib import Path

from assets_pipeline import havok, packfile
from assets_pipeline.packfile import HavokObject, Header, Layout, Packfile
from assets_pipeline.verify import verify


def crate(name: str, height: float) -> HavokObject:
    """Return a body of 12 kg: a cube of one metre at a height."""
    body = HavokObject("hkpRigidBody", name=name, damageMultiplier=1.0, uid=0xFFFFFFFF)
    body.collidable.shape = HavokObject("hkpBoxShape", radius=0.05, halfExtents=(0.45, 0.45, 0.45, 0))
    body.collidable.broadPhaseHandle = {"type": 1, "objectQualityType": 4}
    body.material = {"responseType": "RESPONSE_SIMPLE_CONTACT", "friction": 0.7, "restitution": 0.3}
    body.motion.type = "MOTION_BOX_INERTIA"
    body.motion.inertiaAndMassInv = (
        1 / 2,
        1 / 2,
        1 / 2,
        1 / 12,
    )  # a solid cube: 12 kg (1 + 1) m^2 / 12 = 2 kg m^2
    state = body.motion.motionState
    state.transform = [
        (1, 0, 0, 0),
        (0, 1, 0, 0),
        (0, 0, 1, 0),
        (0, height, 0, 1),
    ]  # three columns, the translation
    state.sweptTransform.rotation0 = state.sweptTransform.rotation1 = (0, 0, 0, 1)
    state.sweptTransform.centerOfMass0 = state.sweptTransform.centerOfMass1 = (0, height, 0, 0)
    state.objectRadius = 0.9
    return body


def make(bodies: list[HavokObject], layout: Layout) -> Packfile:
    """Return a packfile that holds bodies: root container, physics data, one system."""
    system = HavokObject("hkpPhysicsSystem", name="crates", rigidBodies=bodies, active=True)
    root = HavokObject("hkRootLevelContainer")
    root.namedVariants.append(
        name="Physics Data",
        className="hkpPhysicsData",
        variant=HavokObject("hkpPhysicsData", systems=[system]),
    )
    return Packfile(root, Header(layout))


def main(folder: Path) -> None:
    """Write a file for consoles, change it, and write it for a 64-bit machine."""
    first = folder / "crates.hkw"
    first.write_bytes(packfile.write(make([crate(f"crate {i}", 1.0 + i) for i in range(3)], Layout())))
    print(f"{first.name}: {first.stat().st_size} bytes, {len(verify(first).findings)} findings")

    read = packfile.read(first)
    for body in havok.physics_of(read).bodies:
        print(f"  {body.name}: {body.mass:g} kg at height {body.position[1]:g}")
    top = list(read.find("hkpRigidBody"))[-1]
    top["name"] = "the heavy one"
    top.motion.inertiaAndMassInv[:] /= 10

    second = folder / "crates64.hkw"
    second.write_bytes(packfile.write(packfile.convert(read, Layout(pointer_size=8, little_endian=True))))
    heavy = havok.physics_of(packfile.read(second)).bodies[-1]
    print(f"{second.name}: {second.stat().st_size} bytes; {heavy.name} weighs {heavy.mass:g} kg")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as made:
            main(Path(made))
