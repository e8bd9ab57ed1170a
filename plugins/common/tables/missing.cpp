#include "missing.hpp"

#include <algorithm>
#include <cmath>

#include "levin/error.hpp"

namespace tables {
namespace {

class Sieve {
 public:
  Sieve(const Table& table, uint32_t begin, uint32_t end, const MissingOptions& options, bool predict)
      : table_(table), begin_(begin), options_(options), predict_(predict), use_(end - begin, true) {}

  std::vector<uint32_t> run() {
    for (const Column& column : table_.inputs()) look_at(column, /*target=*/false);
    if (!predict_)
      for (const Column& column : table_.targets()) look_at(column, /*target=*/true);
    for (auto row = table_.damaged().lower_bound(begin_); row != table_.damaged().end(); ++row)
      use_[row->first - begin_] = false;
    std::vector<uint32_t> rows;
    for (size_t i = 0; i < use_.size(); ++i)
      if (use_[i]) rows.push_back(begin_ + static_cast<uint32_t>(i));
    return rows;
  }

 private:
  bool missing(const Column& column, size_t i) const {
    return std::isnan(column.values[begin_ + i]) && !table_.damaged().count(begin_ + static_cast<uint32_t>(i));
  }

  void look_at(const Column& column, bool target) {
    const std::string& wish = column.type.category() ? options_.categories : options_.numbers;
    const bool drop = wish == "drop" && !predict_;
    if (!target && !drop && wish != "error" && wish != "drop") return;  // missing values are filled in
    for (size_t i = 0; i < use_.size(); ++i) {
      if (!missing(column, i)) continue;
      if (!drop) refuse(column, i, target);
      use_[i] = false;
    }
  }

  [[noreturn]] void refuse(const Column& column, size_t i, bool target) const {
    size_t n = 0;
    for (size_t k = 0; k < use_.size(); ++k) n += missing(column, k);
    std::string text = table_.place(begin_ + static_cast<uint32_t>(i)) + ": " + (target ? "the target '" : "column '") +
                       column.type.name + "' has no value";
    if (const auto big = column.too_large.find(begin_ + static_cast<uint32_t>(i)); big != column.too_large.end())
      text += ": '" + big->second + "' is more than float32 can hold, and counts as none";
    if (n > 1) text += ", nor have " + std::to_string(n - 1) + " other rows";
    if (predict_) text += ", and rows to predict are not dropped";
    throw levin::Error(LEVIN_E_IO, text + ": give --data." + ways(column, target));
  }
  std::string ways(const Column& column, bool target) const {
    const std::string drop = predict_ ? "" : "drop or ";
    if (column.type.category()) return "missing_categories " + (target ? "drop" : drop + "own");
    return "missing_numbers " + (target ? "drop" : drop + "mean or median");
  }

  const Table& table_;
  const uint32_t begin_;
  const MissingOptions& options_;
  const bool predict_;
  std::vector<bool> use_;
};

}  // namespace

std::vector<uint32_t> usable_rows(const Table& table, uint32_t begin, uint32_t end, const MissingOptions& options,
                                  bool predict) {
  return Sieve(table, begin, end, options, predict).run();
}

}  // namespace tables
