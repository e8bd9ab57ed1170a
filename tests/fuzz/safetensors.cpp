// A checkpoint, and a safetensors file of another program. The header's checksum is corrected, because it would stop
// the fuzzer.
#include "core/base/error.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"
#include "tests/checkpoint/sample.hpp"
#include "tests/fuzz/target.hpp"

using namespace levin::core;

namespace {

void read_all(const std::string& bytes, SafetensorsMode mode) try {
  const SafetensorsReader reader(bytes, "fuzz", mode);
  uint64_t read = 0;
  for (const std::string& name : reader.names()) {
    const TensorView view = reader.tensor(name);
    if (view.bytes > bytes.size()) std::abort();
    for (uint64_t i = 0; i < view.bytes; ++i) read += static_cast<const unsigned char*>(view.data)[i];
  }
  if (read > 255 * bytes.size()) std::abort();  // no two tensors share bytes
  reader.verify();
} catch (const Error&) {
}

}  // namespace

LEVIN_FUZZ_TARGET(safetensors) {
  const std::string bytes = levin::fuzz::text_of(data, size);
  read_all(bytes, SafetensorsMode::strict);
  read_all(bytes, SafetensorsMode::reference);
  read_all(with_right_header(bytes), SafetensorsMode::strict);
}
