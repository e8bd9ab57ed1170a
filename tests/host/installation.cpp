#include "installation.hpp"

#include <stdlib.h>
#include <sys/wait.h>

#include <fstream>
#include <sstream>

#include "core/base/file.hpp"
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
  char name[] = "/tmp/levin_host_test_XXXXXX";
  folder_ = mkdtemp(name);
  fs::create_directories(folder_ / "bin");
  fs::create_directories(plugins());
  fs::copy_file(LEVIN_TEST_HOST, folder_ / "bin" / "host");
  add_plugin("toy", "libtoy.so");
  write("libexec/levin/host-engine", engine_script);
  fs::permissions(folder_ / "libexec" / "levin" / "host-engine", fs::perms::owner_all);
}

Installation::~Installation() { fs::remove_all(folder_); }

void Installation::write(const std::string& name, const std::string& text) const {
  fs::create_directories((folder_ / name).parent_path());
  std::ofstream(folder_ / name) << text;
}

void Installation::add_plugin(const std::string& name, const fs::path& to) const {
  const fs::path file = to.has_parent_path() ? folder_ / to : plugins() / to;
  fs::create_directories(file.parent_path());
  fs::copy_file(LEVIN_TEST_PLUGINS "/lib" + name + ".so", file);
}

Answer Installation::host(const std::string& words, const std::string& environment) const {
  const std::string home = folder_.string();
  const std::string command =
      "cd " + home +
      " && env -u LEVIN_PLUGIN_PATH -u OMP_NUM_THREADS -u OMP_WAIT_POLICY -u XDG_DATA_HOME HOME=" + home +
      " XDG_CACHE_HOME=" + home + "/cache " + environment + " bin/host " + words + " >out.txt 2>err.txt";
  const int status = system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, levin::core::read_file(folder_ / "out.txt"),
          levin::core::read_file(folder_ / "err.txt")};
}
