// Reads one transform of a list, such as "random_crop:32:4".
#pragma once
#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "levin/error.hpp"
#include "levin/util/text.hpp"
#include "levin/util/transform_table.hpp"
#include "levin/util/words.hpp"

#pragma GCC visibility push(hidden)
namespace levin::images {

// The numbers of a transform: those of the text, then the defaults of its row.
class Arguments {
 public:
  // Throws Error if an argument is missing, is no number, or is one too many.
  Arguments(const TransformRow& row, std::string text) : text_(std::move(text)) {
    const std::vector<std::string> given = parts_of(text_, ':');
    std::vector<std::string> known = parts_of(row.arguments, ' ');
    if (known.back().empty()) known.pop_back();
    const auto refuse = [&](const std::string& what) {
      const std::string takes = known.empty() ? "no arguments" : "the arguments " + std::string(row.arguments);
      throw Error(LEVIN_E_INVALID, "transform '" + text_ + "': " + what + "; " + row.name + " takes " + takes);
    };
    if (given.size() > known.size() + 1) refuse("'" + given.back() + "' is one argument too many");
    for (size_t i = 0; i < known.size(); ++i) {
      const size_t equals = known[i].find('=');
      names_.push_back(known[i].substr(0, equals));
      double value = 0;
      if (i + 1 < given.size()) {
        if (!read_number(given[i + 1], value)) refuse("'" + given[i + 1] + "' is no number");
      } else if (equals == std::string::npos) {
        refuse(names_[i] + " is missing");
      } else {
        value = default_of(known[i].substr(equals + 1));
      }
      numbers_.push_back(value);
    }
  }

  // Return argument i. Throw Error unless it is from lowest to highest, or is not whole.
  double number(size_t i, double lowest, double highest) const {
    if (!(numbers_.at(i) >= lowest && numbers_[i] <= highest))
      refuse_number(i, "has to be from " + short_text(lowest) + " to " + short_text(highest));
    return numbers_[i];
  }
  int64_t whole(size_t i, int64_t lowest, int64_t highest) const {
    const double value = number(i, static_cast<double>(lowest), static_cast<double>(highest));
    if (value != static_cast<double>(static_cast<int64_t>(value))) refuse_number(i, "has to be a whole number");
    return static_cast<int64_t>(value);
  }
  const std::string& text() const { return text_; }

 private:
  double default_of(const std::string& text) const {
    const auto earlier = std::find(names_.begin(), names_.end(), text);
    if (earlier != names_.end()) return numbers_[static_cast<size_t>(earlier - names_.begin())];
    return std::atof(text.c_str());
  }
  [[noreturn]] void refuse_number(size_t i, const std::string& what) const {
    throw Error(LEVIN_E_INVALID,
                "transform '" + text_ + "': " + names_[i] + " is " + short_text(numbers_[i]) + "; it " + what);
  }
  static std::string short_text(double value) {
    const std::string out = shortest(value);
    return out.size() > 2 && out.compare(out.size() - 2, 2, ".0") == 0 ? out.substr(0, out.size() - 2) : out;
  }

  std::string text_;
  std::vector<std::string> names_;
  std::vector<double> numbers_;
};

}  // namespace levin::images
#pragma GCC visibility pop
