// Weight files of other programs: zip archives, the older format of PyTorch, safetensors.
#include "core/base/error.hpp"
#include "core/weights/state_dict_file.hpp"
#include "tests/fuzz/read_weights.hpp"

LEVIN_FUZZ_TARGET(weights) {
  const levin::fuzz::MemoryFile file(std::string_view(reinterpret_cast<const char*>(data), size));
  levin::fuzz::read_weights(file.path());
}
