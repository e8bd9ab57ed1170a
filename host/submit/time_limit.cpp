#include "host/submit/time_limit.hpp"

#include <vector>

#include "core/base/text.hpp"

namespace levin::core {
namespace {

std::optional<std::vector<int64_t>> numbers(const std::string& text) {
  std::vector<int64_t> out;
  for (const std::string& part : split(text, ':')) {
    if (part.empty() || part.size() > 7 || part.find_first_not_of("0123456789") != std::string::npos)
      return std::nullopt;
    out.push_back(std::stoll(part));
  }
  if (out.empty() || out.size() > 3) return std::nullopt;
  return out;
}

// Seconds per unit of each part. Without days, one number is minutes, and two numbers are minutes and seconds.
constexpr int64_t units[2][3][3] = {{{60, 0, 0}, {60, 1, 0}, {3600, 60, 1}},
                                    {{3600, 0, 0}, {3600, 60, 0}, {3600, 60, 1}}};

}  // namespace

std::optional<int64_t> time_limit_seconds(const std::string& text) {
  const size_t dash = text.find('-');
  const bool has_days = dash != std::string::npos;
  const auto days = numbers(has_days ? text.substr(0, dash) : "0");
  const auto rest = numbers(has_days ? text.substr(dash + 1) : text);
  if (!days || days->size() != 1 || !rest) return std::nullopt;
  int64_t seconds = days->front() * 86400;
  for (size_t i = 0; i < rest->size(); ++i) seconds += (*rest)[i] * units[has_days][rest->size() - 1][i];
  return seconds > 0 ? std::optional<int64_t>(seconds) : std::nullopt;
}

}  // namespace levin::core
