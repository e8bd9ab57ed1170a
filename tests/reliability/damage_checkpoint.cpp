// damage_checkpoint FILE N SEED: damages a checkpoint in N random ways: flipped bits, changed bytes, a truncated end,
// zeros as after a torn write, two exchanged pieces, a removed piece, a duplicated piece. Prints the number of each
// kind. Exit code 1 if a damaged file was accepted. A crash of the reader ends the program.
#include <algorithm>
#include <array>
#include <iostream>
#include <random>

#include "core/base/error.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"
#include "tests/checkpoint/sample.hpp"

using namespace levin::core;

namespace {

class Damage {
 public:
  Damage(std::string bytes, uint64_t seed) : good_(std::move(bytes)), random_(seed) {}

  static constexpr std::array<const char*, 7> ways = {"flipped bits",     "other bytes", "lost ends",      "zeros",
                                                      "exchanged pieces", "lost pieces", "repeated pieces"};

  std::string of_way(size_t way) {
    std::string bytes = good_;
    do {
      change(bytes, way);
    } while (bytes == good_);
    return bytes;
  }

 private:
  size_t below(size_t n) { return random_() % n; }

  void change(std::string& bytes, size_t way) {
    const size_t piece = size_t{1} << below(13), at = below(bytes.size()), n = std::min(piece, bytes.size() - at);
    const size_t other = below(bytes.size() - n);
    switch (way) {
      case 0:
        for (size_t i = 1 + below(4); i > 0; --i) {
          char& byte = bytes[below(bytes.size())];
          byte = static_cast<char>(byte ^ (1 << below(8)));
        }
        return;
      case 1:
        return std::generate_n(bytes.begin() + static_cast<long>(at), n, [&] { return static_cast<char>(random_()); }),
               void();
      case 2:
        return bytes.resize(at);
      case 3:
        return std::fill_n(bytes.begin() + static_cast<long>(at), n, '\0'), void();
      case 4:
        if (other + n <= at || at + n <= other)
          std::swap_ranges(bytes.begin() + static_cast<long>(at), bytes.begin() + static_cast<long>(at + n),
                           bytes.begin() + static_cast<long>(other));
        return;
      case 5:
        return bytes.erase(at, n), void();
      default:
        bytes.insert(other, bytes.substr(at, n));
    }
  }

  std::string good_;
  std::mt19937_64 random_;
};

bool accepted(std::string bytes) try {
  SafetensorsReader(std::move(bytes), "damaged", SafetensorsMode::strict).verify();
  return true;
} catch (const Error&) {
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string good = bytes_of(argv[1]);
  if (!accepted(good)) {
    std::cout << argv[1] << " is no checkpoint\n";
    return 2;
  }
  const long n = std::stol(argv[2]);
  Damage damage(good, std::stoull(argv[3]));
  std::array<long, Damage::ways.size()> tried{}, wrong{};
  for (long i = 0; i < n; ++i) {
    const size_t way = static_cast<size_t>(i) % Damage::ways.size();
    ++tried[way];
    wrong[way] += accepted(damage.of_way(way)) ? 1 : 0;
  }
  std::cout << good.size() << " bytes\n\n| damage | tried | accepted |\n| --- | ---: | ---: |\n";
  long all = 0;
  for (size_t way = 0; way < tried.size(); ++way) {
    std::cout << "| " << Damage::ways[way] << " | " << tried[way] << " | " << wrong[way] << " |\n";
    all += wrong[way];
  }
  return all == 0 ? 0 : 1;
}
