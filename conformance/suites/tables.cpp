// Text for people: large numbers, and the table of results.
#include "callbacks/model_summary/summary.hpp"
#include "callbacks/results_table/table.hpp"
#include "conformance/registry.hpp"
#include "levin/text.hpp"

namespace conformance {
namespace {

Outcome run_count(const Case& c) {
  Outcome out;
  out.seen["text"] = levin::model_summary::human_count(c.inputs.at("n").get<int64_t>());
  return out;
}

std::string cell(const json& value) {
  return value.is_number_integer() ? value.dump() : levin::shortest(value.get<double>());
}

void add(levin::results_table::Column& column, const std::string& name, const json& value) {
  if (!value.is_object()) {
    column[name.substr(0, name.rfind("/dataloader_idx_"))] = cell(value);
    return;
  }
  for (const auto& [key, inner] : value.items()) add(column, name + ":" + key, inner);
}

Outcome run_print_results(const Case& c) {
  std::vector<levin::results_table::Column> columns;
  for (const json& loader : c.inputs.at("results")) {
    columns.emplace_back();
    for (const auto& [name, value] : loader.items()) add(columns.back(), name, value);
  }
  const std::string text =
      levin::results_table::table(columns, c.inputs.at("stage"), c.inputs.at("terminal_columns").get<size_t>());
  Outcome out;
  out.seen["stdout"] = text.empty() ? text : text + "\n";
  return out;
}

const SuiteEntry count("human_readable_count", &run_count);
const SuiteEntry print_results("print_results", &run_print_results);

}  // namespace
}  // namespace conformance
