// Printed text: large numbers, and the results table.
#include "callbacks/model_summary/summary.hpp"
#include "callbacks/results_table/table.hpp"
#include "conformance/harness/numbers.hpp"
#include "conformance/registry.hpp"

namespace conformance {
namespace {

Outcome run_count(const Case& c) {
  Outcome out;
  out.seen["text"] = levin::model_summary::human_count(c.inputs.at("n").get<int64_t>());
  return out;
}

using namespace levin::results_table;

// Adds the numbers of a tree of results.
void add(Column& column, std::vector<std::string> path, const json& value) {
  if (!value.is_object()) {
    column[row_name(path)] =
        value.is_number_integer() ? cell_text(value.get<int64_t>()) : cell_text(number_from(value));
    return;
  }
  path.emplace_back();
  for (const auto& [key, inner] : value.items()) {
    path.back() = key;
    add(column, path, inner);
  }
}

Outcome run_print_results(const Case& c) {
  std::vector<Column> columns;
  for (const json& loader : c.inputs.at("results")) add(columns.emplace_back(), {}, loader);
  const std::string text = table(columns, c.inputs.at("stage"), c.inputs.at("terminal_columns").get<size_t>());
  Outcome out;
  out.seen["stdout"] = text.empty() ? text : text + "\n";
  return out;
}

const SuiteEntry count("human_readable_count", &run_count);
const SuiteEntry print_results("print_results", &run_print_results);

}  // namespace
}  // namespace conformance
