// A file of images or labels, plain or compressed.
#include "levin/error.hpp"
#include "plugins/mnist/idx_file.hpp"
#include "tests/fuzz/target.hpp"

LEVIN_FUZZ_TARGET(idx) {
  const levin::fuzz::MemoryFile file(std::string_view(reinterpret_cast<const char*>(data), size));
  try {
    mnist::read_idx_shape(file.path());
    mnist::read_idx(file.path());
  } catch (const levin::Error&) {
  }
}
