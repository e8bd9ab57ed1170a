// Prints a table of the results after a validation or test.
#include <cstdlib>

#include "levin/callback.hpp"
#include "levin/util/terminal.hpp"
#include "table.hpp"

namespace levin::results_table {
namespace {

size_t width_of_output() {
  if (const size_t columns = terminal_columns()) return columns;
  const char* columns = std::getenv("COLUMNS");
  const int n = columns ? std::atoi(columns) : 0;
  return n > 0 ? static_cast<size_t>(n) : 80;
}

class ResultsTable : public Callback {
 public:
  static constexpr levin_option options[] = {
      integer("width", "0", "width of the table in columns; 0 = width of the terminal", 0, 10000),
  };

  explicit ResultsTable(const Args& args) : width_(static_cast<size_t>(args.integer("width"))) {}

  void setup(Stage stage) { validating_ = stage == Stage::validate; }
  void on_validation_end(const Event& event) {
    if (validating_) show(event, "validate");
  }
  void on_test_end(const Event& event) { show(event, "test"); }

 private:
  void show(const Event& event, const char* stage) const {
    if (!is_first_process(event.run())) return;
    const std::string text =
        table(columns_of(event.run().metrics(LEVIN_METRIC_RESULTS)), stage, width_ ? width_ : width_of_output());
    if (!text.empty()) event.run().print(text);
  }
  size_t width_;
  bool validating_ = false;  // false in a fit: its validations print no table
};

}  // namespace
}  // namespace levin::results_table

LEVIN_PLUGIN("levin.results_table", "0.1.0", "Apache-2.0",
             levin::callback<levin::results_table::ResultsTable>(
                 "results_table", "Prints a table of metrics after a validation or test"));
