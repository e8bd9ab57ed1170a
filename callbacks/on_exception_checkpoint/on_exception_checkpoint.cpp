// Saves a checkpoint when a fit fails or is interrupted.
#include <filesystem>

#include "levin/callback.hpp"

namespace levin::on_exception_checkpoint {
namespace {

class OnExceptionCheckpoint : public Callback {
 public:
  static constexpr levin_option options[] = {
      with(path("dirpath", "null", "folder of the checkpoint; null = checkpoints in the run folder"),
           LEVIN_OPT_NULLABLE),
      text("filename", "\"on_exception\"", "file name without .ckpt"),
  };
  static constexpr uint64_t flags = LEVIN_F_LAST | LEVIN_F_OFF_IN_FAST_DEV_RUN;

  explicit OnExceptionCheckpoint(const Args& args) : dirpath_(args.text("dirpath")), filename_(args.text("filename")) {
    if (filename_.empty()) throw Error(LEVIN_E_INVALID, "filename is empty; give the checkpoint a name");
  }

  void on_fit_start(const Event& event) {
    fitting_ = true;
    event.run().saves_in(folder(event.run()).string());
  }
  void on_fit_end() { fitting_ = false; }
  void on_exception(const Event& event) {
    if (!fitting_) return;
    const std::string file = (folder(event.run()) / (filename_ + ".ckpt")).string();
    event.run().save_checkpoint(file);
    if (is_first_process(event.run())) info("saved " + file);  // other ranks only send it their state
  }

 private:
  std::filesystem::path folder(const Run& run) const {
    return dirpath_.empty() ? std::filesystem::path(run.run_dir()) / "checkpoints" : dirpath_;
  }
  std::filesystem::path dirpath_;
  std::string filename_;
  bool fitting_ = false;
};

}  // namespace
}  // namespace levin::on_exception_checkpoint

LEVIN_PLUGIN("levin.on_exception_checkpoint", "0.1.0", "Apache-2.0",
             levin::callback<levin::on_exception_checkpoint::OnExceptionCheckpoint>(
                 "on_exception_checkpoint", "Saves a checkpoint when a fit fails or is interrupted"))
