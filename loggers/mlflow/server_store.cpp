// A run on a tracking server. The training thread writes lines into the run folder; another thread sends them.
#include <algorithm>

#include "../common/text_file.hpp"
#include "batch.hpp"
#include "json.hpp"
#include "keep_file.hpp"
#include "known_values.hpp"
#include "levin/error.hpp"
#include "sender.hpp"
#include "store.hpp"

namespace fs = std::filesystem;

namespace levin::mlflow {
namespace {

using std::chrono::seconds;

constexpr size_t values_a_line = 200, most_files = 10000;
constexpr int64_t flush_every_ms = 1000;
constexpr seconds longest_end{60}, longest_hurried_end{5};

// Moves the folder of another run aside.
void keep_only(const fs::path& folder, const std::string& uid) {
  const fs::path mark = folder / "uid";
  std::error_code failed;
  if (fs::is_regular_file(mark, failed) && loggers::read_text(mark) == uid) return;
  if (fs::exists(fs::symlink_status(folder, failed))) {
    fs::path aside;
    for (int n = 1; aside.empty() || fs::exists(fs::symlink_status(aside)); ++n)
      aside = folder.string() + "-" + std::to_string(n);
    fs::rename(folder, aside);
  }
  fs::create_directories(folder);
  loggers::write_text(mark, uid, std::ios::trunc);
}

class ServerStore : public Store {
 public:
  ServerStore(const std::string& address, const Opening& opening) : opening_(opening) {
    keep_only(opening.folder, opening.uid);
    spool_ = std::make_unique<Spool>(opening.folder);
    const bool is_fresh = !go_on();
    spool_->add(status_line("RUNNING", now_ms()));
    for (const auto& [name, value] : opening.tags) spool_->add(tag_line(name, value));
    if (is_fresh)  // MLflow's parameters cannot be changed
      for (const auto& [name, value] : opening.params) spool_->add(param_line(name, value));
    spool_->flush();
    sender_ = std::make_unique<Sender>(Sender::Parts{address, opening.experiment, opening.run_name, opening.uid,
                                                     opening.folder, spool_.get(), opening.info, opening.warn});
  }

  void param(const std::string& name, const std::string& value) override { spool_->add(param_line(name, value)); }

  void metrics(int64_t step, int64_t time_ms, const Values& all) override {
    const Values values = known_.without_known(step, all);
    for (size_t at = 0; at < values.size(); at += values_a_line) {
      const auto from = values.begin() + static_cast<std::ptrdiff_t>(at);
      const auto to = values.begin() + static_cast<std::ptrdiff_t>(std::min(values.size(), at + values_a_line));
      spool_->add(metrics_line(step, time_ms, Values(from, to)));
    }
    if (time_ms >= flushed_ms_ + flush_every_ms || time_ms < flushed_ms_) {
      spool_->flush();
      flushed_ms_ = time_ms;
    }
  }

  // A kept file has a folder of its own, so that a later one of the same name does not replace it before it is sent.
  void artifact(const fs::path& from, const std::string& name, bool is_final) override {
    const std::string kept = free_folder() + "/" + fs::path(name).filename().string();
    keep_file(from, opening_.folder / kept, is_final);
    if (!fs::is_directory(opening_.folder / kept)) return spool_->add(file_line(kept, name));
    size_t files = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(opening_.folder / kept)) {
      if (!entry.is_regular_file()) continue;
      if (++files > most_files)
        return opening_.warn(from.string() + " has more than " + std::to_string(most_files) +
                             " files: MLflow gets these");
      const std::string part = fs::relative(entry.path(), opening_.folder / kept).string();
      spool_->add(file_line(kept + "/" + part, name + "/" + part));
    }
  }

  void content(const std::string& bytes, const std::string& name) override {
    const std::string kept = free_folder() + "/" + fs::path(name).filename().string();
    keep_bytes(bytes, opening_.folder / kept);
    spool_->add(file_line(kept, name));
  }

  void flush() override { spool_->flush(); }

  void end(const std::string& status) override {
    spool_->add(status_line(status, now_ms()));
    spool_->flush();
    const bool is_hurried = status == "KILLED" || sender_->is_away();  // KILLED: by Ctrl-C or the end of a job's time
    if (!sender_->finish(is_hurried ? longest_hurried_end : longest_end, !is_hurried))
      opening_.warn("MLflow's server lacks the last " + std::to_string(spool_->size() - spool_->sent()) + " bytes of " +
                    spool_->path().string() + ": a resume of the run sends them");
    sender_.reset();
  }

  std::string state() override {
    spool_->flush();
    return text_of({{"bytes", spool_->size()}, {"known_from", known_.empty() ? spool_->size() : known_from_}});
  }

 private:
  std::string free_folder() const {
    uint64_t n = spool_->size();
    while (fs::exists(opening_.folder / std::to_string(n))) ++n;
    return std::to_string(n);
  }

  // Keeps what the server has, and drops the other values from after the checkpoint. Files are kept: the best
  // checkpoint is logged behind the last checkpoint. Returns false if nothing else was kept.
  bool go_on() {
    const Json state = parsed(opening_.state);
    const uint64_t saved = state.is_object() ? state.value("bytes", uint64_t{0}) : uint64_t{0};
    if (saved > spool_->size())
      opening_.warn(spool_->path().string() + " has " + std::to_string(spool_->size()) + " of the " +
                    std::to_string(saved) + " bytes that were written before the checkpoint");
    known_from_ = state.is_object() ? state.value("known_from", saved) : uint64_t{0};
    const uint64_t sent = spool_->sent();
    for (uint64_t at = known_from_; at < sent;) {
      const std::string lines = spool_->read(at, 1 << 20);
      if (lines.empty()) break;
      known_.add(lines.substr(0, static_cast<size_t>(sent - at)));
      at += lines.size();
    }
    const uint64_t keep = std::max(saved, sent);
    std::string files;
    for (uint64_t at = keep; at < spool_->size();) {
      const std::string lines = spool_->read(at, 1 << 20);
      if (lines.empty()) break;
      files += file_lines(lines);
      at += lines.size();
    }
    spool_->cut(keep);
    if (!files.empty()) spool_->add(files.substr(0, files.size() - 1));
    return keep > 0;
  }

  const Opening opening_;
  std::unique_ptr<Spool> spool_;
  KnownValues known_;
  uint64_t known_from_ = 0;  // offset in the spool from which they were read
  int64_t flushed_ms_ = 0;
  std::unique_ptr<Sender> sender_;  // ends before the spool
};

}  // namespace

std::unique_ptr<Store> open_server_store(const std::string& address, const Opening& opening) {
  return std::make_unique<ServerStore>(address, opening);
}

}  // namespace levin::mlflow
