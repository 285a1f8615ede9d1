# SPDX-License-Identifier: BSD-2-Clause
"""Conan 2: conan create packaging/conan. It builds the tree that it is in."""
import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load
from conan.tools.system.package_manager import Apt

ARCHITECTURES = ("x86_64", "armv8", "riscv64")


class Sdtlink(ConanFile):
    name = "sdtlink"
    description = "Static probes for C and C++: headers, the runtime libsdt and the linker wrapper"
    license = "BSD-2-Clause"
    topics = ("tracing", "usdt", "probes")
    settings = "os", "arch", "compiler", "build_type"
    options = {"tools": [True, False]}
    default_options = {"tools": True}

    def tree(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        lists = load(self, os.path.join(self.tree(), "CMakeLists.txt"))
        self.version = re.search(r"project\(sdtlink VERSION ([\d.]+)", lists)[1]

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "*.md", "base/*", "cmake/*", "docs/*",
                        "examples/*", "runtime/*", "sdt/*", "sdt-dtrace/*", "sdtlink/*"):
            copy(self, pattern, src=self.tree(), dst=self.export_sources_folder)

    def configure(self):
        self.settings.rm_safe("compiler.libcxx")
        self.settings.rm_safe("compiler.cppstd")

    def validate(self):
        if self.settings.os != "Linux" or self.settings.arch not in ARCHITECTURES:
            raise ConanInvalidConfiguration(
                f"sdtlink has probes on Linux for {', '.join(ARCHITECTURES)}; elsewhere, copy "
                "sdt.h, whose probes compile to nothing")

    def system_requirements(self):
        packages = ["python3"]
        if self.options.tools:
            packages += ["bison", "libelf-dev", "libncurses-dev", "pkg-config"]
        Apt(self).install(packages)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["BUILD_TESTING"] = False
        for part in ("SDT_BUILD_TOOLS", "SDT_BUILD_SDT"):
            toolchain.cache_variables[part] = bool(self.options.tools)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build(target="installed")

    def package(self):
        CMake(self).install()

    def package_info(self):
        # Our own package, with sdt_link(), instead of one that Conan writes.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/sdtlink"]
        self.cpp_info.set_property("pkg_config_name", "none")
        self.buildenv_info.prepend_path("PATH", os.path.join(self.package_folder, "bin"))
