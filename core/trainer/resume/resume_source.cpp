#include "core/trainer/resume/resume_source.hpp"

#include <ATen/Parallel.h>

#include <utility>

#include "core/base/error.hpp"
#include "core/trainer/resume/checkpoint_choice.hpp"
#include "core/trainer/resume/init_weights.hpp"

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

ForeignSource foreign_source = nullptr;

}  // namespace

void set_foreign_source(ForeignSource make) { foreign_source = make; }

std::unique_ptr<ResumeSource> resume_source(const ResumeParts& parts) {
  VerifiedFile verified;
  const bool is_first = parts.processes.world().is_first();
  const std::string path =
      parts.processes.of_first(is_first ? resumed_checkpoint(parts.settings, parts.output, &verified) : "");
  if (path.empty()) return std::make_unique<NewRun>(parts);
  parts.services.protect(path);
  if (is_weights_file(path)) {
    if (foreign_source) return foreign_source(parts, path);
    throw Error(ErrorCode::checkpoint_format_unsupported,
                path + ": it is not a checkpoint of Levin, so a fit cannot resume from it");
  }
  return std::make_unique<CheckpointSource>(parts, path, std::move(verified));
}

}  // namespace levin::core
