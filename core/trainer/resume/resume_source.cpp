#include "core/trainer/resume/resume_source.hpp"

#include <ATen/Parallel.h>

#include <utility>

#include "core/base/error.hpp"
#include "core/loops/optimization/accumulation.hpp"
#include "core/trainer/resume/checkpoint_choice.hpp"
#include "core/trainer/resume/init_weights.hpp"
#include "core/trainer/resume/lightning_file.hpp"
#include "core/trainer/resume/resume_changes.hpp"

namespace levin::core {
namespace {

class NewRun : public ResumeSource {
 public:
  explicit NewRun(const ResumeParts& parts) : parts_(parts) {}
  void load_model() override {
    const InitWeights init = init_weights_from(parts_.settings.config.weights);
    if (init.from) init_weights(parts_.model, "model.init_from", init, parts_.console);
  }

 private:
  const ResumeParts parts_;
};

class CheckpointSource : public ResumeSource {
 public:
  CheckpointSource(const ResumeParts& parts, const std::string& path, VerifiedFile verified)
      : parts_(parts), file_(path, std::move(verified)) {
    file_.read_as(parts_.processes.world().rank, parts_.processes.world().size);
  }
  std::string path() const override { return file_.path(); }
  std::vector<std::string> changes() const override {
    const nlohmann::json config = parts_.settings.saved_config();
    return resume_changes(file_.manifest(), {config, at::get_num_threads(), parts_.settings.seed, LEVIN_TORCH_VERSION,
                                             parts_.processes.world().size});
  }
  void load_model() override { parts_.state.load_model(file_, /*callbacks=*/true); }
  Lineage lineage() const override { return same_run() ? lineage_of(file_.manifest()) : new_lineage(); }
  void load_loggers() override {
    if (!same_run()) return;
    load_position();  // loggers continue at that step
    parts_.state.load_loggers(file_);
  }
  FoundPosition load_training() override {
    if (!same_run()) load_position();  // hooks before this one see a new run
    parts_.state.load_training(file_, found_);
    return found_;
  }
  void load_gradients() override { parts_.state.load_gradients(file_); }

 private:
  bool same_run() const { return parts_.settings.config.resume.has_value(); }
  void load_position() { found_ = parts_.state.load_position(file_); }

  const ResumeParts parts_;
  CheckpointReader file_;
  FoundPosition found_;
};

// A Lightning checkpoint has no gradients, so those of an open accumulation window are missing in the next step.
void tell_lost_gradients(const RunPlan& plan, const RunProgress& progress, const FoundPosition& found,
                         Console& console) {
  const int64_t window = window_at(plan.optimization.accumulate_grad_batches, progress.current_epoch()).value_or(1);
  const int64_t batches = progress.of(Counted::batch).current.processed % window;
  if (!found.within_epoch() || progress.is_last_batch() || batches == 0) return;
  console.warn(
      "the checkpoint is of the middle of a window of accumulation, and a file of Lightning has no gradients: "
      "those of " +
      std::to_string(batches) + (batches == 1 ? " batch" : " batches") +
      " are missing in the next optimizer step (trainer.accumulate_grad_batches " + std::to_string(window) + ")");
}

class LightningSource : public ResumeSource {
 public:
  LightningSource(const ResumeParts& parts, const std::string& path)
      : parts_(parts), path_(path), file_(path, init_weights_from(parts.settings.config.weights)) {
    if (parts_.settings.config.resume)
      throw Error(ErrorKind::usage, path +
                                        " is a checkpoint of Lightning, and a run goes on in its folder from its own "
                                        "checkpoints; host fit --ckpt_path FILE goes on from it in a new run");
  }
  std::string path() const override { return path_; }
  void load_model() override { file_.load_weights(parts_.model, parts_.console); }
  std::vector<std::string> optimizer_changes() const override { return file_.changes(parts_.optimizers); }
  FoundPosition load_training() override {
    found_ = file_.load_training(parts_.model, parts_.optimizers, parts_.precision, parts_.fit);
    parts_.optimizers.scale_loaded_optimizers(1);
    parts_.optimizers.scale_loaded_schedules(1);
    return found_;
  }
  void load_gradients() override { tell_lost_gradients(parts_.settings.plan, parts_.progress, found_, parts_.console); }
  std::string remainder() const override { return file_.remainder(); }

 private:
  const ResumeParts parts_;
  const std::string path_;
  const LightningFile file_;
  FoundPosition found_;
};

}  // namespace

std::unique_ptr<ResumeSource> resume_source(const ResumeParts& parts) {
  VerifiedFile verified;
  const bool is_first = parts.processes.world().is_first();
  const std::string path =
      parts.processes.of_first(is_first ? resumed_checkpoint(parts.settings, parts.output, &verified) : "");
  if (path.empty()) return std::make_unique<NewRun>(parts);
  parts.services.protect(path);
  if (is_weights_file(path)) return std::make_unique<LightningSource>(parts, path);
  return std::make_unique<CheckpointSource>(parts, path, std::move(verified));
}

}  // namespace levin::core
