// A callback that copies the run's folder when each checkpoint is on the disk: the state that a kill at that moment
// would leave.
#include <levin/levin.hpp>

#include <cstdlib>
#include <filesystem>

namespace {

struct Keeper : levin::Callback {
  static constexpr levin_option options[] = {levin::flag("within_validation", "false", "save within validations too")};
  const bool within_validation;
  int64_t validations = 0;
  explicit Keeper(const levin::Args& o) : within_validation(o.flag("within_validation")) {}

  void on_checkpoint_durable(const levin::Event& e) {
    namespace fs = std::filesystem;
    const char* folder = std::getenv("LEVIN_TEST_KEPT");
    if (folder == nullptr) return;
    const fs::path kept(folder);
    fs::create_directories(kept);
    size_t n = 0;
    while (fs::exists(kept / std::to_string(n))) ++n;
    fs::copy(e.run().run_dir(), kept / std::to_string(n),
             fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  }
  void on_validation_batch_end(const levin::Event& e) {
    if (within_validation && e.stage() != levin::Stage::sanity && e.batch_idx() == 0)
      e.run().save_checkpoint("checkpoints/within.ckpt");
  }
  void on_validation_end(const levin::Event& e) {
    if (e.stage() != levin::Stage::sanity) ++validations;
  }
  void save(levin::Writer out) const { out.put("validations", validations); }
  void load(levin::Reader in) { in.get("validations", validations); }
};

}  // namespace

LEVIN_PLUGIN("levin.test.keeper", "1.0.0", "Apache-2.0",
             levin::callback<Keeper>("folder_keeper", "Keeps the run's folder at each checkpoint"))
