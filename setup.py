"""Only what depends on the compiler: every .pyx of the packages becomes an extension module."""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent
PACKAGES = ("physics", "movement", "assets_pipeline")


class BuildExt(build_ext):
    """Compiles without contraction, so that every machine computes the same bits."""

    def finalize_options(self) -> None:
        """Compile as many modules at once as there are processors."""
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def build_extensions(self) -> None:
        """Set the flags that the floating-point rules of docs/design.md ask for, then build."""
        msvc = self.compiler.compiler_type == "msvc"
        # gcc 12 at -O2 and above, packing straight-line code into vectors, drops roundings to float on the way to a
        # double: constraint anchors, f32 by the text, stayed f64. Loops and explicit vectors are left alone.
        unix = ["-O3", "-g0", "-ffp-contract=off", "-fno-math-errno", "-fno-tree-slp-vectorize"]
        for extension in self.extensions:
            extension.extra_compile_args = ["/O2", "/fp:precise"] if msvc else unix
        super().build_extensions()


def extension(path: Path) -> Extension:
    """Return the extension of one .pyx file, named by its place in the tree."""
    return Extension(".".join(path.with_suffix("").parts), [path.as_posix()])


sources = [path.relative_to(ROOT) for package in PACKAGES for path in sorted((ROOT / package).rglob("*.pyx"))]
setup(
    cmdclass={"build_ext": BuildExt},
    ext_modules=cythonize(
        [extension(path) for path in sources],
        build_dir=".cybuild",
        nthreads=(os.cpu_count() or 1) if sys.platform == "linux" else 0,  # others start processes anew
        compiler_directives={"language_level": 3, "embedsignature": True},
    ),
)
