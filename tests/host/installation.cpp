#include "installation.hpp"

#include "core/base/text.hpp"

namespace fs = std::filesystem;

namespace {
const char* const engine_script = R"(#!/bin/sh
echo "words $*"
echo "OMP_NUM_THREADS $OMP_NUM_THREADS"
echo "OMP_WAIT_POLICY $OMP_WAIT_POLICY"
echo "MALLOC_MMAP_THRESHOLD_ $MALLOC_MMAP_THRESHOLD_"
if [ "$1" = --run-config-fd ] || [ "$1" = --check-fd ]; then cat /proc/self/fd/$2; fi
)";
}  // namespace

std::string Answer::error() const {
  const auto lines = levin::core::split(levin::core::trim(err), '\n');
  return lines.back();
}

Installation::Installation() {
  fs::create_directories(folder() / "bin");
  fs::create_directories(plugins());
  fs::copy_file(LEVIN_TEST_HOST, folder() / "bin" / "host");
  add_plugin("toy", "libtoy.so");
  write("libexec/levin/host-engine", engine_script);
  fs::permissions(folder() / "libexec" / "levin" / "host-engine", fs::perms::owner_all);
}

void Installation::add_plugin(const std::string& name, const fs::path& to) const {
  const fs::path file = to.has_parent_path() ? folder() / to : plugins() / to;
  fs::create_directories(file.parent_path());
  fs::copy_file(LEVIN_TEST_TOYS "/lib" + name + ".so", file);
}

Answer Installation::host(const std::string& words, const std::string& environment) const {
  Program program{shell_command("exec env " + environment + " bin/host " + words), folder(),
                  at_home(folder(), folder_.file("cache"))};
  for (const char* unset : {"OMP_NUM_THREADS", "OMP_WAIT_POLICY"}) program.variables[unset] = {};
  return {run_program(program)};
}
