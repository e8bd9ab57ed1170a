"""Builds an example of the package as a plugin, and trains it."""
import os

from conan import ConanFile
from conan.tools.cmake import CMake


class Test(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeToolchain"

    def requirements(self):
        self.requires(self.tested_reference_str)

    @property
    def levin(self):
        return self.dependencies["levin"].package_folder

    def build(self):
        cmake = CMake(self)
        cmake.configure(build_script_folder=os.path.join(self.levin, "share", "levin", "examples", "05-model-in-c"))
        cmake.build()

    def test(self):
        self.run(f"{self.levin}/bin/host fit --plugins {self.build_folder} --model c_mlp --data synthetic --fast_dev_run true")
