#include "row_set.hpp"

#include <algorithm>
#include <cmath>

namespace arrays {
namespace {

bool finite(const Array& array, const float* numbers) {
  return array.integer() || std::all_of(numbers, numbers + array.row_size(), [](float x) { return std::isfinite(x); });
}

std::string not_finite(const Array& array, int64_t row) {
  return array.name() + ": row " + std::to_string(row) + " has an element that is NaN or infinite";
}

// Returns the reason why a row cannot be used; "" = it can be.
std::string damage_of(const RowSet& set, int64_t row, bool classes, std::vector<float>& numbers) {
  for (const Array* array : {set.inputs.get(), set.targets.get()}) {
    if (!array) continue;
    numbers.resize(static_cast<size_t>(array->row_size()));
    array->read(row, numbers.data());
    if (!finite(*array, numbers.data())) return not_finite(*array, row);
  }
  const auto is_label = [](float x) { return x >= 0 && x == std::floor(x); };
  if (!classes || !set.targets || std::all_of(numbers.begin(), numbers.end(), is_label)) return "";
  return set.targets->name() + ": row " + std::to_string(row) +
         " has a label that is no class: classes are 0, 1, 2, ...";
}

}  // namespace

std::vector<uint32_t> usable_rows(const RowSet& set, bool classes, common::DamagedRows& damaged) {
  std::vector<uint32_t> rows;
  std::vector<float> numbers;
  for (int64_t row = 0; row < set.inputs->rows(); ++row) {
    const std::string damage = damage_of(set, row, classes, numbers);
    if (damage.empty())
      rows.push_back(static_cast<uint32_t>(row));
    else
      damaged.add(damage);
  }
  damaged.count(static_cast<size_t>(set.inputs->rows()));
  if (rows.empty()) throw levin::Error(LEVIN_E_IO, set.inputs->name() + ": no row can be used: " + damaged.text());
  return rows;
}

void check_finite(const Array& array, int64_t row, const float* numbers) {
  if (!finite(array, numbers))
    throw levin::Error(LEVIN_E_IO, not_finite(array, row) + "; --data.damaged skip leaves such rows out");
}

}  // namespace arrays
