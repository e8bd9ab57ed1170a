// A callback whose static initialiser throws when the engine loads it, and not while the host describes it.
#include <unistd.h>

#include <stdexcept>
#include <string>

#include "levin/callback.hpp"

namespace {

struct Upset {
  Upset() {
    char program[4096];
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program);
    if (n > 0 && std::string(program, static_cast<size_t>(n)).find("host-engine") != std::string::npos)
      throw std::runtime_error("the initialiser is upset");
  }
};
const Upset upset;

struct Nobody : levin::Callback {
  void on_fit_start() {}
};

}  // namespace

LEVIN_PLUGIN("levin.test.upset", "1.0.0", "Apache-2.0", levin::callback<Nobody>("upset", "Throws when it is loaded"))
