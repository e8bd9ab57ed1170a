#include "host/explain/error_rows.hpp"

namespace levin::core {

const std::vector<ErrorRow>& error_rows() {
  static const std::vector<ErrorRow> all = [] {
    std::vector<ErrorRow> out;
    for (const auto part : {run_error_rows, usage_error_rows, plugin_error_rows, file_error_rows, process_error_rows})
      for (const ErrorRow& row : part()) out.push_back(row);
    return out;
  }();
  return all;
}

const ErrorRow* find_error_row(int number) {
  for (const ErrorRow& row : error_rows())
    if (static_cast<int>(row.code) == number) return &row;
  return nullptr;
}

}  // namespace levin::core
