#include "settings.hpp"

namespace levin::autotune {
namespace {

using Values = std::vector<int64_t>;

Values without_images_in_rows(int64_t now, const Situation& s) { return s.images && now == 0 ? Values{1} : Values{}; }

// Kernels that are off were switched off by the user, or there are none for the device.
Values kernels(int64_t now, const Situation& s) { return now == 1 && !s.gpu ? Values{0} : Values{}; }

Values threads(int64_t now, const Situation& s) {
  Values out;
  if (s.gpu) return out;
  for (const int64_t fewer : {now / 2, now / 4, int64_t{1}})
    if (fewer >= 1 && fewer < now && (out.empty() || fewer < out.back())) out.push_back(fewer);
  return out;
}

Values workers(int64_t now, const Situation& s) { return s.stream ? Values{} : Values{now + 1, now + 2}; }

std::string boolean(int64_t value) { return value ? "true" : "false"; }
std::string automatic(int64_t value) { return value ? "\"auto\"" : "\"off\""; }
std::string number(int64_t value) { return std::to_string(value); }

}  // namespace

const std::vector<Setting>& settings() {
  static const std::vector<Setting> all = {
      {"channels_last", "trainer.channels_last", &without_images_in_rows, "no images", &boolean},
      {"cpu_kernels", "trainer.cpu_kernels", &kernels, "not on the CPU", &automatic},
      {"num_threads", "trainer.num_threads", &threads, "one thread", &number},
      {"num_workers", "data.num_workers", &workers, "a stream", &number},
  };
  return all;
}

}  // namespace levin::autotune
