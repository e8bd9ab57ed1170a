// Rows of files that cannot be used, and what is done about them.
#pragma once
#include <string>
#include <vector>

#include "levin/options.hpp"

namespace common {

inline constexpr const char* damaged_ways[] = {"stop", "check", "skip", nullptr};
inline constexpr levin_option damaged_rows_option = levin::choice(
    "damaged", "\"stop\"",
    "rows that cannot be read: stop at the first, check all before the run and stop, or skip them", damaged_ways);

// A list of damaged rows.
class DamagedRows {
 public:
  // reason: the place of the row and what is wrong with it, "iris.csv:7: ...".
  void add(const std::string& reason);
  void count(size_t rows) { rows_ += rows; }  // rows that were looked at, with the damaged ones
  bool any() const { return damaged_ > 0; }
  // Returns a message with the number of damaged rows and the first of them.
  std::string text() const;

 private:
  size_t rows_ = 0, damaged_ = 0;
  std::vector<std::string> first_;
};

// What --data.damaged says about such rows: stop at the first of them, or collect them.
class Damage {
 public:
  explicit Damage(std::string way) : way_(std::move(way)) {}
  // Throws levin::Error for the way stop.
  void add(const std::string& reason);
  void count(size_t rows) { rows_.count(rows); }
  bool stops() const { return way_ == "stop"; }
  // Returns a message about the rows that were left out, "" = none. Throws levin::Error if there are some and the way
  // is check.
  std::string report() const;

 private:
  std::string way_;
  DamagedRows rows_;
};

}  // namespace common
