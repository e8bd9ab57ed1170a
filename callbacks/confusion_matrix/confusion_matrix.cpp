// Counts a confusion matrix in each validation and test. Writes confusion_matrix_val.csv into the run folder, sends a
// table and a figure to the loggers that accept them, and prints the last matrix of the run.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "levin/callback.hpp"
#include "levin/host_tensor.hpp"
#include "levin/processes.hpp"
#include "levin/util/terminal.hpp"
#include "matrix.hpp"

namespace levin::confusion_matrix {
namespace {

class ConfusionMatrix : public Callback {
 public:
  static constexpr levin_option options[] = {
      text("prediction", "\"prediction\"", "output of the model's steps that holds the predicted classes"),
      text("target", "\"target\"", "output of the model's steps that holds the true classes"),
      integer("print_classes", "20", "print the table for at most N classes; 0 = never", 0, 1000),
  };

  explicit ConfusionMatrix(const Args& args)
      : prediction_(args.text("prediction")), target_(args.text("target")), most_(args.integer("print_classes")) {}

  void on_validation_epoch_start() { matrices_.clear(); }
  void on_validation_batch_end(const Event& event) { count(event); }
  void on_validation_epoch_end(const Event& event) {
    if (event.stage() != Stage::sanity) finish(event, Split::val, "val");
    if (event.stage() == Stage::validate) print(event.run());
  }
  void on_fit_end(const Event& event) { print(event.run()); }
  void on_test_epoch_start() { matrices_.clear(); }
  void on_test_batch_end(const Event& event) { count(event); }
  void on_test_epoch_end(const Event& event) {
    finish(event, Split::test, "test");
    print(event.run());
  }

 private:
  void count(const Event& event) {
    if (event.stage() == Stage::sanity) return;
    levin_tensor *prediction = event.output(prediction_), *target = event.output(target_);
    if (!prediction || !target) return tell_missing(!prediction ? prediction_ : target_);
    const Run run = event.run();
    const std::vector<int64_t> predicted = HostTensor(run, prediction).integers();
    const std::vector<int64_t> wanted = HostTensor(run, target).integers();
    if (predicted.size() != wanted.size())
      throw Error(LEVIN_E_INVALID, "the model's output '" + prediction_ + "' has " + std::to_string(predicted.size()) +
                                       " classes, and '" + target_ + "' " + std::to_string(wanted.size()) +
                                       ": both have one for each row");
    Matrix& matrix = matrices_[static_cast<uint32_t>(std::max<int64_t>(event.dataloader_idx(), 0))];
    for (size_t i = 0; i < wanted.size(); ++i) matrix.add(wanted[i], predicted[i]);
  }

  void tell_missing(const std::string& output) {
    if (std::exchange(warned_, true)) return;
    warn("the model's steps return no '" + output +
         "', so no classes are counted. Steps of levin::classifier do; another "
         "model returns levin::Outputs{loss, {{\"prediction\", classes}, {\"target\", target}}}, or names of its own "
         "with "
         "--callback.confusion_matrix.prediction and --callback.confusion_matrix.target");
  }

  void finish(const Event& event, Split split, const std::string& stage) {
    const Run run = event.run();
    join(run);
    table_.clear();
    for (auto& [loader, matrix] : matrices_) {
      const Field field = run.data().target(split, loader);
      matrix.reserve(field.classes);
      const std::string of = matrices_.size() > 1 ? "_" + std::to_string(loader) : "";
      show(run, stage + of, matrix, field.class_names);
    }
  }

  // Sums the counts of all processes. A process may have seen no batch.
  void join(const Run& run) {
    if (run.world_size() == 1) return;
    const int64_t mine = matrices_.empty() ? 0 : int64_t{matrices_.rbegin()->first} + 1;
    const int64_t loaders = over_processes(run, {mine}, LEVIN_REDUCE_MAX).at(0);
    for (uint32_t loader = 0; loader < loaders; ++loader) {
      Matrix& matrix = matrices_[loader];
      matrix.reserve(over_processes(run, {matrix.size()}, LEVIN_REDUCE_MAX).at(0));
      const int64_t classes = matrix.size();  // of all processes; empty() is of this one only
      if (classes != 0) matrix.set_counts(over_processes(run, matrix.counts(), LEVIN_REDUCE_SUM));
    }
  }

  void show(const Run& run, const std::string& name, const Matrix& matrix, const std::vector<std::string>& names) {
    if (!is_first_process(run)) return;
    const std::string folder = run.run_dir();  // empty = the run writes no files
    if (!folder.empty())
      std::ofstream(std::filesystem::path(folder) / ("confusion_matrix_" + name + ".csv")) << to_csv(matrix, names);
    const std::string tag = "confusion_matrix_" + name, json = to_json(matrix, names);
    levin_media media{};
    media.size = sizeof media;
    media.kind = "table";
    media.tag = tag.c_str();
    media.step = -1;
    media.text = json.c_str();
    run.media(media);
    run.media(Media::figure("confusion_matrix_figure_" + name, to_figure(matrix, names)));
    if (matrix.size() <= most_)
      table_ += (table_.empty() ? "" : "\n") + tag + " (rows: target, columns: prediction)\n" +
                to_table(matrix, names, terminal_columns());
  }

  void print(const Run& run) {
    if (!table_.empty()) run.print(table_);
    table_.clear();
  }

  std::string prediction_, target_, table_;
  int64_t most_;
  bool warned_ = false;
  std::map<uint32_t, Matrix> matrices_;  // by loader index
};

}  // namespace
}  // namespace levin::confusion_matrix

LEVIN_PLUGIN("levin.confusion_matrix", "0.1.0", "Apache-2.0",
             levin::callback<levin::confusion_matrix::ConfusionMatrix>(
                 "confusion_matrix", "Counts how often each class was predicted as which"))
