// Prints a row of metrics after each epoch.
#include "levin/callback.hpp"
#include "levin/util/terminal.hpp"
#include "table.hpp"

namespace levin::metrics_table {
namespace {

class MetricsTable : public Callback {
 public:
  static constexpr levin_option options[] = {
      integer("head_every_n_epochs", "20", "print the header every N epochs", 1, 1e9),
  };
  static constexpr uint64_t flags = LEVIN_F_MONITOR;  // runs after all other callbacks have logged

  explicit MetricsTable(const Args& args) : table_(args.integer("head_every_n_epochs")) {}

  void on_train_start(const Event& event) { began_ = seconds(event); }  // for a fit that is resumed within an epoch
  void on_train_epoch_start(const Event& event) { began_ = seconds(event); }
  void on_train_epoch_end(const Event& event) {
    const Run run = event.run();
    if (!is_first_process(run)) return;
    const double took = seconds(event) - began_;
    run.print(table_.row(event.epoch() + 1, took, of_the_epoch(run.metrics()), terminal_columns()));
  }

 private:
  static double seconds(const Event& event) { return event.run().time_train_seconds(); }
  Table table_;
  double began_ = 0;
};

}  // namespace
}  // namespace levin::metrics_table

LEVIN_PLUGIN("levin.metrics_table", "0.1.0", "Apache-2.0",
             levin::callback<levin::metrics_table::MetricsTable>("metrics_table",
                                                                 "Prints a row of metrics after each epoch"))
