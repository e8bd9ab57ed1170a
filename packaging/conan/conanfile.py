"""Levin from a clone: conan create packaging/conan. LibTorch and the other libraries are the system's (scripts/packages)."""
import os
import re
import shutil

from conan import ConanFile
from conan.errors import ConanException
from conan.tools.cmake import CMake, CMakeToolchain
from conan.tools.files import copy, load
from conan.tools.scm import Git
from conan.tools.system.package_manager import Apt

CLONE = os.path.join("..", "..")


class Levin(ConanFile):
    name = "levin"
    description = "A training framework made of plugins, on LibTorch"
    license = "Apache-2.0"
    package_type = "application"
    settings = "os", "arch", "compiler", "build_type"

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, CLONE, "CMakeLists.txt"))
        self.version = re.search(r"project\(Levin VERSION ([0-9.]+)", text).group(1)

    def export(self):
        copy(self, "packages", os.path.join(self.recipe_folder, CLONE, "scripts"), self.export_folder)

    def export_sources(self):
        clone = os.path.abspath(os.path.join(self.recipe_folder, CLONE))
        for file in Git(self, clone).included_files():
            target = os.path.join(self.export_sources_folder, file)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(os.path.join(clone, file), target)

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanException("Levin runs on Linux only")

    def system_requirements(self):
        # What scripts/packages lists without a word, or for Debian's LibTorch only.
        rows = [line.split("#")[0].split() for line in load(self, os.path.join(self.recipe_folder, "packages")).splitlines()]
        Apt(self).install([row[0] for row in rows if row and row[1:] in ([], ["apt"])])

    def layout(self):
        # Not beside the sources, whose CMakePresets.json Conan would have to overwrite.
        self.folders.build = self.folders.generators = os.path.join("build", "conan")

    def generate(self):
        toolchain = CMakeToolchain(self, generator="Ninja")
        toolchain.user_presets_path = False
        toolchain.cache_variables["LEVIN_BUILD_TESTS"] = False
        toolchain.cache_variables["CMAKE_UNITY_BUILD"] = True
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        # The CMake package of the installation is complete: find_package(Levin) reads it.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "Levin")]
        self.cpp_info.libs = []
