// Draws the ROC, precision-recall and calibration curves of each validation and test. Writes roc_val.svg and the like
// into the run folder, and sends the figures to the loggers that accept figures.
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
#include "levin/util/figure.hpp"
#include "levin/util/text.hpp"
#include "levin/util/words.hpp"
#include "samples.hpp"

namespace levin::curves {
namespace {

struct Kind {
  const char *name, *title, *x, *y;
  Curve (*of)(std::vector<Scored>);  // nullptr = calibration
};
const Kind kinds[] = {{"roc", "ROC", "false-positive rate", "true-positive rate", roc},
                      {"pr", "precision and recall", "recall", "precision", precision_recall},
                      {"calibration", "calibration", "confidence", "fraction of right predictions", nullptr}};

class Curves : public Callback {
 public:
  static constexpr levin_option options[] = {
      text("draw", "\"roc, pr, calibration\"", "curves to draw"),
      text("scores", "\"scores\"", "output of the model's steps that holds scores [N, classes, ...]"),
      text("target", "\"target\"", "output of the model's steps that holds the true classes [N, ...]"),
      integer("classes", "10", "draw at most N classes, each against the rest", 1, 1000),
      integer("bins", "15", "bins of the calibration curve", 1, 1000),
      integer("samples", "100000", "use at most the first N samples of each process", 1, 1e9),
  };

  explicit Curves(const Args& args)
      : scores_(args.text("scores")),
        target_(args.text("target")),
        classes_(args.integer("classes")),
        bins_(args.integer("bins")),
        most_(args.integer("samples")) {
    for (const std::string& name : listed_words(args.text("draw"))) {
      const auto* kind =
          std::find_if(std::begin(kinds), std::end(kinds), [&](const Kind& each) { return name == each.name; });
      if (kind == std::end(kinds))
        throw Error(LEVIN_E_INVALID,
                    "--callback.curves.draw: there is no curve '" + name + "'; there are roc, pr, calibration");
      drawn_.push_back(kind);
    }
  }

  void on_validation_epoch_start() { samples_.clear(); }
  void on_validation_batch_end(const Event& event) { keep(event); }
  void on_validation_epoch_end(const Event& event) {
    if (event.stage() != Stage::sanity) draw_all(event.run(), Split::val, "val");
  }
  void on_test_epoch_start() { samples_.clear(); }
  void on_test_batch_end(const Event& event) { keep(event); }
  void on_test_epoch_end(const Event& event) { draw_all(event.run(), Split::test, "test"); }

 private:
  void keep(const Event& event) {
    if (event.stage() == Stage::sanity) return;
    levin_tensor *scores = event.output(scores_), *target = event.output(target_);
    if (!scores || !target) {
      if (!std::exchange(warned_, true))
        warn("the model's steps return no '" + (scores ? target_ : scores_) +
             "', so no curves are drawn. Steps of levin::classifier do; another model returns levin::Outputs{loss, "
             "{{\"scores\", scores}, {\"target\", target}}}, or other names with --callback.curves.scores and "
             "--callback.curves.target");
      return;
    }
    const Run run = event.run();
    Samples& samples = samples_[static_cast<uint32_t>(std::max<int64_t>(event.dataloader_idx(), 0))];
    if (samples.size() >= most_) return;
    const HostTensor given(run, scores);
    const std::vector<int64_t> shape(given.view().shape, given.view().shape + given.view().ndim);
    samples.add(classes_last(given.numbers(), shape), HostTensor(run, target).integers(), most_);
  }

  void draw_all(const Run& run, Split split, const std::string& stage) {
    if (run.world_size() > 1) {
      const int64_t mine = samples_.empty() ? 0 : int64_t{samples_.rbegin()->first} + 1;
      const int64_t loaders = over_processes(run, {mine}, LEVIN_REDUCE_MAX).at(0);
      for (uint32_t loader = 0; loader < loaders; ++loader) samples_[loader].join(run);
    }
    if (!is_first_process(run)) return;
    for (const auto& [loader, samples] : samples_) {
      if (samples.size() == 0) continue;
      const std::vector<std::string> names = run.data().target(split, loader).class_names;
      const std::string of = stage + (samples_.size() > 1 ? "_" + std::to_string(loader) : "");
      for (const Kind* kind : drawn_) show(run, std::string(kind->name) + "_" + of, figure(*kind, samples, names));
    }
  }

  static void show(const Run& run, const std::string& name, const Figure& figure) {
    const std::string folder = run.run_dir();  // empty = the run writes no files
    if (!folder.empty()) std::ofstream(std::filesystem::path(folder) / (name + ".svg")) << figure.svg();
    run.media(Media::figure(name, figure));
  }

  Figure figure(const Kind& kind, const Samples& samples, const std::vector<std::string>& names) const {
    if (!kind.of) {
      const Curve curve = calibration(samples.confidences(), bins_);
      Figure out("calibration, error " + metric_text(curve.area));
      out.x_label(kind.x).y_label(kind.y).dashed_line("", {0, 1}, {0, 1});
      return std::move(out.line("", curve.xs, curve.ys).points("", curve.xs, curve.ys));
    }
    Figure out(kind.title);
    int64_t drawn = 0;
    for (int64_t c = samples.classes() == 2 ? 1 : 0; c < samples.classes() && drawn < classes_; ++c) {
      const Curve curve = kind.of(samples.of_class(c));
      if (curve.xs.empty()) continue;
      const auto i = static_cast<size_t>(c);
      out.line((i < names.size() ? names[i] : std::to_string(c)) + " " + metric_text(curve.area), curve.xs, curve.ys);
      ++drawn;
    }
    return std::move(out.x_label(kind.x).y_label(kind.y).size(640, 400 + 18 * static_cast<int>(drawn / 3)));
  }

  std::string scores_, target_;
  int64_t classes_, bins_, most_;
  std::vector<const Kind*> drawn_;
  bool warned_ = false;
  std::map<uint32_t, Samples> samples_;  // by loader index
};

}  // namespace
}  // namespace levin::curves

LEVIN_PLUGIN("levin.curves", "0.1.0", "Apache-2.0",
             levin::callback<levin::curves::Curves>("curves", "Draws ROC, precision-recall and calibration curves"))
