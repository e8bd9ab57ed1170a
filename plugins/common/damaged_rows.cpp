#include "damaged_rows.hpp"

namespace common {
namespace {

constexpr size_t most_listed = 20;

}  // namespace

void DamagedRows::add(const std::string& reason) {
  if (damaged_++ < most_listed) first_.push_back(reason);
}

std::string DamagedRows::text() const {
  std::string text = std::to_string(damaged_) + " of " + std::to_string(rows_) + " rows cannot be used:";
  for (const std::string& reason : first_) text += "\n  " + reason;
  return damaged_ > first_.size() ? text + "\n  and " + std::to_string(damaged_ - first_.size()) + " more" : text;
}

void Damage::add(const std::string& reason) {
  if (stops()) throw levin::Error(LEVIN_E_IO, reason + " (--data.damaged skip leaves such rows out)");
  rows_.add(reason);
}

std::string Damage::report() const {
  if (!rows_.any()) return "";
  if (way_ == "check") throw levin::Error(LEVIN_E_IO, rows_.text());
  return "left out: " + rows_.text();
}

}  // namespace common
