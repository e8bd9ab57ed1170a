#include "labels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "../common/class_names.hpp"
#include "levin/error.hpp"

namespace webdataset {
namespace {

constexpr int64_t most_classes = 1000000;

std::optional<int64_t> class_number(const std::string& text) {
  const std::optional<int64_t> value = common::whole_number(text);
  return value && *value >= 0 && *value < most_classes ? value : std::nullopt;
}

}  // namespace

std::string Labels::learn(const std::vector<std::string>& targets, const std::function<std::string(size_t)>& place) {
  std::set<std::string> texts(targets.begin(), targets.end());
  const auto found = std::count_if(targets.begin(), targets.end(),
                                   [](const std::string& text) { return number_in(text).has_value(); });
  const bool numbers = 2 * static_cast<size_t>(found) > targets.size();
  int64_t highest = 0;
  std::string wrong;
  for (auto text = texts.begin(); numbers && text != texts.end();) {
    const std::optional<int64_t> number = class_number(*text);
    if (!number) wrong = *text;
    highest = std::max(highest, number.value_or(0));
    text = number ? std::next(text) : texts.erase(text);
  }
  if (static_cast<int64_t>(texts.size()) > most_classes)
    throw levin::Error(LEVIN_E_IO, "--data.target: more than 1000000 classes; --data.task regression predicts numbers");
  names_.clear();
  if (!numbers) names_.assign(texts.begin(), texts.end());
  n_ = numbers ? highest + 1 : static_cast<int64_t>(names_.size());
  if (texts.size() < 2 && !wrong.empty()) {
    const auto at = std::find(targets.begin(), targets.end(), wrong) - targets.begin();
    throw levin::Error(LEVIN_E_IO,
                       place(static_cast<size_t>(at)) + " is '" + wrong.substr(0, 40) + "', " + problem(wrong));
  }
  if (n_ < 2)
    throw levin::Error(LEVIN_E_IO, "--data.target: all samples have the class '" + targets.at(0) +
                                       "': there is nothing to tell apart");
  const int64_t unused = n_ - static_cast<int64_t>(texts.size());
  if (!numbers || unused <= 0) return "";
  return std::to_string(unused) + " of the classes 0 to " + std::to_string(highest) +
         " have no sample; is the highest one right?";
}

std::optional<int64_t> Labels::of(const std::string& target) const {
  if (names_.empty()) {
    const std::optional<int64_t> number = class_number(target);
    return number && *number < n_ ? number : std::nullopt;
  }
  const auto found = std::lower_bound(names_.begin(), names_.end(), target);
  if (found == names_.end() || *found != target) return std::nullopt;
  return found - names_.begin();
}

std::string Labels::problem(const std::string& target) const {
  if (!names_.empty() || class_number(target)) return "which is none of the classes that train";
  if (number_in(target)) return "and classes are 0, 1, 2, ...: for numbers give --data.task regression";
  return "and most targets are numbers: correct it, or write every class as a text";
}

std::string Labels::name(int64_t index) const {
  return names_.empty() ? std::to_string(index) : names_[static_cast<size_t>(index)];
}

void Labels::save(levin::Writer writer) const {
  writer.put("classes", n_);
  writer.put("names", common::packed_names(names_));
}
bool Labels::load(levin::Reader reader) {
  std::string names;
  if (!reader.get("classes", n_) || !reader.get("names", names)) return false;
  names_ = common::unpacked_names(names);
  return true;
}

std::optional<float> number_in(const std::string& text) {
  char* end = nullptr;
  const float value = std::strtof(text.c_str(), &end);
  return end != text.c_str() && *end == 0 && std::isfinite(value) ? std::optional<float>(value) : std::nullopt;
}

}  // namespace webdataset
