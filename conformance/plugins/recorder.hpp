// Records of the scripted plugins: one line of JSON per call, sent to the runner in this process.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "levin/levin.hpp"

namespace scripted {

using nlohmann::json;

// LEVIN_CONFORMANCE_SINK is the address of a `void (const char* line)` in hexadecimal.
inline void record(const json& line) {
  using Sink = void (*)(const char*);
  static const char* const address = std::getenv("LEVIN_CONFORMANCE_SINK");
  static const auto sink = address ? reinterpret_cast<Sink>(std::strtoull(address, nullptr, 16)) : nullptr;
  if (sink) sink(line.dump().c_str());
}

inline json number(double value) {
  if (value != value) return "NaN";
  if (value > 1e308 || value < -1e308) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

// Returns the elements of a float32 or float64 tensor as a flat list.
std::vector<double> values_of(const levin_host* host, levin_tensor* tensor);
// Returns "batch[0,1]" with the values of the first field, or null for an empty batch.
json batch_text(const levin_host* host, const levin_batch* batch);

// Nesting depth of the recorded hook calls.
class Depth {
 public:
  Depth() { ++count(); }
  ~Depth() { --count(); }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;
  static int64_t now() { return count(); }
  static void clear() { count() = 0; }

 private:
  static int64_t& count() {
    static int64_t depth = 0;
    return depth;
  }
};

}  // namespace scripted
