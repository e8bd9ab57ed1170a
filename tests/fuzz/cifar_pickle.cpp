// A batch of CIFAR's Python archives.
#include "levin/error.hpp"
#include "plugins/cifar/pickle.hpp"
#include "tests/fuzz/target.hpp"

LEVIN_FUZZ_TARGET(cifar_pickle) {
  const std::vector<uint8_t> bytes(data, data + size);
  try {
    const cifar::Pickle pickle(bytes, "batch");
    if (pickle.has("data")) pickle.bytes("data");
    pickle.numbers("labels");
    pickle.texts("filenames");
  } catch (const levin::Error&) {
  }
}
