// Reads the golden tables, and generates the numbers from which they were made.
#pragma once
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace golden {

inline nlohmann::json load(const std::string& file) {
  std::ifstream in(std::string(LEVIN_GOLDEN_DIR) + "/" + file + ".json");
  return nlohmann::json::parse(in).at("cases");
}

// Noise of make_golden.py.
class Noise {
 public:
  explicit Noise(uint64_t seed) : state_(seed) {}
  double operator()() {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(state_ >> 41) / 4194304.0 - 1;
  }

 private:
  uint64_t state_;
};

}  // namespace golden
