// Reads lists of metrics such as "f1:macro, accuracy:top5, fbeta:0.5".
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "levin/error.hpp"
#include "levin/util/metric_table.hpp"
#include "levin/util/words.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics {

// A metric and its arguments: "fbeta:macro:0.5" is {"fbeta", "fbeta:macro:0.5", "macro", 1, {0.5, 0.5}}.
struct MetricChoice {
  std::string name;
  std::string text;             // as the user wrote it
  std::string word;             // the default if none was given; "" if the metric has no words
  int64_t top_k = 1;            // 5 of top5
  std::vector<double> numbers;  // all numbers of the row, with their defaults

  // Returns the name under which the metric is logged, after val_ or test_: fbeta_macro_0.5
  std::string logged_name() const {
    std::string out = text;
    std::replace(out.begin(), out.end(), ':', '_');
    return out;
  }
  // Throws Error unless lowest <= number i <= highest.
  double number(size_t i, double lowest, double highest) const {
    const double value = numbers.at(i);
    if (!(value >= lowest && value <= highest))
      throw Error(LEVIN_E_INVALID, "metric '" + text + "': the number has to be from " + short_text(lowest) + " to " +
                                       short_text(highest));
    return value;
  }

 private:
  static std::string short_text(double value) {
    std::string out = std::to_string(value);
    out.erase(out.find_last_not_of('0') + 1);
    if (out.back() == '.') out.pop_back();
    return out;
  }
};

namespace detail_of {

// Returns "; did you mean 'f1'?" for names that contain the word, or else for the nearest name, or "".
inline std::string nearest_names(const std::string& word, const std::vector<MetricRow>& rows) {
  std::vector<std::string> found;
  for (const MetricRow& row : rows)
    if (const std::string name = row.name; word.size() > 2 && name.find(word) != std::string::npos)
      found.push_back(name);
  if (found.empty()) {
    const auto by_distance = [&](const MetricRow& a, const MetricRow& b) {
      return letters_apart(word, a.name) < letters_apart(word, b.name);
    };
    const auto nearest = std::min_element(rows.begin(), rows.end(), by_distance);
    if (nearest != rows.end() && letters_apart(word, nearest->name) <= 1 + word.size() / 3)
      found.push_back(nearest->name);
  }
  std::string out;
  for (const std::string& name : found) out += (out.empty() ? "; did you mean '" : " or '") + name + "'";
  return out.empty() ? out : out + "?";
}

// Takes the arguments of one metric one by one.
class ArgumentReader {
 public:
  ArgumentReader(const MetricRow& row, MetricChoice& choice) : row_(row), choice_(choice) {
    for (const std::string& each : parts_of(row.arguments, ' ')) {
      const size_t equals = each.find('=');
      if (each == "topK")
        has_top_ = true;
      else if (equals != std::string::npos)
        choice_.numbers.push_back(std::atof(each.c_str() + equals + 1));
      else if (!each.empty())
        words_ = parts_of(each, '|');
    }
    if (!words_.empty()) choice_.word = words_[0];
  }
  void take(const std::string& argument) {
    double value = 0;
    if (std::find(words_.begin(), words_.end(), argument) != words_.end() && !std::exchange(had_word_, true)) {
      choice_.word = argument;
    } else if (has_top_ && argument.compare(0, 3, "top") == 0 && read_number(argument.substr(3), value) && value >= 1 &&
               value < 1e6 && value == static_cast<double>(static_cast<int64_t>(value)) && choice_.top_k == 1) {
      choice_.top_k = static_cast<int64_t>(value);
    } else if (given_ < choice_.numbers.size() && read_number(argument, value)) {
      choice_.numbers[given_++] = value;
    } else {
      throw Error(LEVIN_E_INVALID, "metric '" + choice_.text + "': '" + argument + "' is no argument of " + row_.name +
                                       (*row_.arguments != '\0' ? ", which takes " + std::string(row_.arguments)
                                                                : std::string(", which takes none")));
    }
  }

 private:
  const MetricRow& row_;
  MetricChoice& choice_;
  std::vector<std::string> words_;
  bool has_top_ = false, had_word_ = false;
  size_t given_ = 0;
};

// Returns what a name of former releases stands for now, as runs that were saved with it are resumed. They are logged
// under the old name.
inline std::string present_name(const std::string& text) {
  if (text == "macro_accuracy") return "accuracy:macro";
  if (text == "top5") return "accuracy:top5";
  return text;
}

inline const char* text_of(MetricTarget target) {
  switch (target) {
    case MetricTarget::classes:
      return "classes";
    case MetricTarget::labels:
      return "labels";
    case MetricTarget::texts:
      return "texts";
    default:
      return "numbers";
  }
}

inline MetricChoice chosen_metric(const std::string& text, MetricTarget target) {
  const std::vector<std::string> parts = parts_of(present_name(text), ':');
  const auto is_named = [&](const MetricRow& each) { return parts[0] == each.name; };
  std::vector<MetricRow> rows;
  const MetricFamily* other = nullptr;  // has the name, for other targets
  for (const MetricFamily& family : metric_families()) {
    if (family.target == target)
      rows.insert(rows.end(), family.rows.begin(), family.rows.end());
    else if (!other && std::any_of(family.rows.begin(), family.rows.end(), is_named))
      other = &family;
  }
  const auto row = std::find_if(rows.begin(), rows.end(), is_named);
  if (row == rows.end() && other)
    throw Error(LEVIN_E_INVALID, "metric '" + parts[0] + "' is of " + other->name + " and takes " + other->takes +
                                     "; here the targets are " + text_of(target));
  if (row == rows.end())
    throw Error(LEVIN_E_INVALID, "there is no metric '" + parts[0] + "' of " + text_of(target) +
                                     nearest_names(parts[0], rows) + " (host help metrics lists them)");
  MetricChoice choice;
  choice.name = parts[0];
  choice.text = text;
  ArgumentReader reader(*row, choice);
  for (size_t i = 1; i < parts.size(); ++i) reader.take(parts[i]);
  return choice;
}

}  // namespace detail_of

// Returns the metrics of a list such as "f1, accuracy:top5", separated by commas or spaces. Throws Error for names and
// arguments that metrics of these targets do not have, and for a metric that is given twice.
inline std::vector<MetricChoice> chosen_metrics(const std::string& list, MetricTarget target) {
  std::vector<MetricChoice> out;
  for (const std::string& text : listed_words(list)) {
    out.push_back(detail_of::chosen_metric(text, target));
    for (size_t i = 0; i + 1 < out.size(); ++i)
      if (out[i].text == text) throw Error(LEVIN_E_INVALID, "metric '" + text + "' is given twice");
  }
  return out;
}

}  // namespace levin::metrics
#pragma GCC visibility pop
