// Mutated files must be read or rejected, never crash. LEVIN_FUZZ_RUNS = runs per seed file, LEVIN_FUZZ_SEED = first
// seed.
#include <random>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"
#include "tests/checkpoint/sample.hpp"

using namespace levin::core;

namespace {

uint64_t setting(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

class Mutator {
 public:
  explicit Mutator(uint64_t seed) : random_(seed) {}

  std::string mutate(std::string bytes) {
    for (uint64_t n = 1 + below(4); n > 0 && !bytes.empty(); --n) mutate_once(bytes);
    return below(2) == 0 ? with_right_header(bytes) : bytes;
  }

 private:
  uint64_t below(uint64_t n) { return random_() % n; }

  void mutate_once(std::string& bytes) {
    static const std::string words[] = {"0",
                                        "-1",
                                        "18446744073709551615",
                                        "9223372036854775808",
                                        "1e9",
                                        "null",
                                        "{}",
                                        "[]",
                                        "[[",
                                        "\"__metadata__\"",
                                        "\"dtype\"",
                                        "\"",
                                        "\\u0000",
                                        "\\ud800",
                                        ":",
                                        ",",
                                        "{\"a\":",
                                        "\"shape\":[0]",
                                        "F4",
                                        "__pad__.0"};
    const size_t end = std::min<size_t>(bytes.size(), below(4) == 0 ? bytes.size() : 1200);  // mostly in the header
    const size_t at = below(end);
    switch (below(7)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 1:
        bytes[at] = static_cast<char>(below(256));
        break;
      case 2:
        bytes.erase(at, 1 + below(16));
        break;
      case 3:
        bytes.insert(at, words[below(std::size(words))]);
        break;
      case 4:
        bytes.replace(at, 1 + below(8), words[below(std::size(words))]);
        break;
      case 5:
        bytes.insert(at, bytes.substr(below(bytes.size()), below(64)));
        break;
      default:
        bytes.resize(below(bytes.size() + 64));
        break;
    }
  }

  std::mt19937_64 random_;
};

// Reads everything in an accepted file. Returns false if it is rejected.
bool read_all(const std::string& bytes, SafetensorsMode mode) {
  try {
    const SafetensorsReader reader(bytes, "fuzz", mode);
    for (const std::string& name : reader.names()) {
      const TensorView view = reader.tensor(name);
      if (checksum_of(view.data, view.bytes).empty()) return false;
    }
    reader.verify();
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

TEST_CASE("mutated checkpoints are read or refused") {
  const TempFolder temp;
  write_safetensors(temp / "sample", sample_content());
  write_safetensors(temp / "nothing", {});
  const std::string foreign = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"__metadata__":{"x":"y"}})";
  std::string other(8, '\0');
  other[0] = static_cast<char>(foreign.size());
  const std::string seeds[] = {bytes_of(temp / "sample"), bytes_of(temp / "nothing"),
                               other + foreign + std::string(8, 'x')};
  const uint64_t runs = setting("LEVIN_FUZZ_RUNS", 3000), first = setting("LEVIN_FUZZ_SEED", 1);
  uint64_t read = 0;
  for (const std::string& seed : seeds) {
    CHECK(read_all(seed, SafetensorsMode::reference));
    for (uint64_t run = first; run < first + runs; ++run) {
      const std::string bytes = Mutator(run).mutate(seed);
      for (SafetensorsMode mode : {SafetensorsMode::strict, SafetensorsMode::reference}) read += read_all(bytes, mode);
    }
  }
  WARN(read << " of " << 6 * runs << " readings accepted");
}
