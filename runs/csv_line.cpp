#include "runs/csv_line.hpp"

#include <cstdlib>

#include "core/base/text.hpp"

namespace levin::core {

std::vector<std::string> csv_cells(const std::string& line) {
  std::vector<std::string> out = {""};
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      out.back() += line[++i];
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      out.emplace_back();
    else if (line[i] != '\r')
      out.back() += line[i];
  }
  return out;
}

std::optional<double> number_in_cell(const std::string& cell) {
  char* end = nullptr;
  const double value = std::strtod(cell.c_str(), &end);
  if (cell.empty() || *end != '\0') return std::nullopt;
  return value;
}

bool is_row_of_test(const std::vector<std::string>& names, const std::vector<std::string>& cells) {
  bool any = false;
  for (size_t i = 0; i < cells.size() && i < names.size(); ++i) {
    if (cells[i].empty() || names[i] == "epoch" || names[i] == "step") continue;
    if (!starts_with(names[i], "test_")) return false;
    any = true;
  }
  return any;
}

}  // namespace levin::core
