#include "row_keys.hpp"

#include <cmath>
#include <unordered_map>

namespace arrays {
namespace {

constexpr double exact_below = 9007199254740992.0;  // 2^53

common::RowKeys classes_of(const Array& targets, const TargetForm& form, const std::vector<uint32_t>& rows) {
  if (form.classes == 0)
    throw levin::Error(LEVIN_E_INVALID, "--data.stratify needs classes, and the targets " + targets.name() +
                                            " are numbers: leave it out, or give --data.task classification");
  if (!form.shape.empty())
    throw levin::Error(LEVIN_E_INVALID,
                       "--data.stratify needs one class a row, and --data.task per_element has several");
  common::RowKeys classes;
  for (int64_t c = 0; c < form.classes; ++c) classes.names.push_back(std::to_string(c));
  for (const uint32_t row : rows) {
    int64_t label = 0;
    read_labels(targets, row, form.classes, &label);
    classes.of.push_back(static_cast<uint32_t>(label));
  }
  return classes;
}

common::RowKeys groups_of(const Array& groups, int64_t rows) {
  const auto refuse = [&](const std::string& what) {
    throw levin::Error(LEVIN_E_IO, "--data.group: " + groups.name() + " " + what);
  };
  if (groups.rows() != rows || groups.row_size() != 1)
    refuse("is " + groups.text() + "; groups are one number for each of the " + std::to_string(rows) + " rows");
  common::RowKeys keys;
  std::unordered_map<double, uint32_t> known;
  for (int64_t row = 0; row < rows; ++row) {
    double value = 0;
    groups.read(row, &value);
    if (!(std::fabs(value) < exact_below))
      refuse("has a group in row " + std::to_string(row) + " that is NaN, infinite or beyond 2^53");
    const auto [at, is_new] = known.emplace(value, static_cast<uint32_t>(keys.names.size()));
    if (is_new) keys.names.push_back(std::to_string(value));
    keys.of.push_back(at->second);
  }
  return keys;
}

}  // namespace

common::RowKeys row_keys(const Options& options, const Format& format, const Array& targets, const TargetForm& form,
                         const std::vector<uint32_t>& rows) {
  if (options.splitting.stratifies()) return classes_of(targets, form, rows);
  if (options.splitting.groups()) return groups_of(*format.open(options.group, "group"), targets.rows()).at(rows);
  return {};
}

}  // namespace arrays
