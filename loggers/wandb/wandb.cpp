// Writes runs in the offline format of Weights & Biases into the run folder, from which `wandb sync` sends them.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include "../common/append_file.hpp"
#include "../common/late_hparams.hpp"
#include "../common/text_file.hpp"
#include "../common/values.hpp"
#include "levin/logger.hpp"
#include "levin/util/terminal.hpp"
#include "levin/util/uninterrupted.hpp"
#include "log_file.hpp"
#include "media.hpp"
#include "position.hpp"
#include "records.hpp"

namespace fs = std::filesystem;

namespace levin::wandb {
namespace {

const char* const step_metric = "trainer/global_step";  // as Lightning's WandbLogger names it

double now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

std::string or_environment(const std::string& given, const char* variable, const char* otherwise) {
  const char* value = std::getenv(variable);
  return !given.empty() ? given : value && *value ? value : otherwise;
}

Items members(const std::string& object) {
  Items out;
  const Json all = Json::parse(object.empty() ? "{}" : object);
  for (const auto& [name, value] : all.items()) out.emplace_back(name, json_text(value));
  return out;
}

std::string host_name() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

std::string local_time() {
  const std::time_t seconds = std::time(nullptr);
  std::tm parts{};
  char text[32];
  ::localtime_r(&seconds, &parts);
  std::strftime(text, sizeof text, "%Y%m%d_%H%M%S", &parts);
  return text;
}

// Files of a folder by their paths in it; for a file, the file itself under "".
std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {""};
  std::vector<fs::path> out;
  for (const auto& entry : fs::recursive_directory_iterator(path))
    if (entry.is_regular_file() && !entry.is_symlink()) out.push_back(entry.path().lexically_relative(path));
  return out;
}

// A hard link takes no room. Another file system needs a copy.
void link_or_copy(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  fs::create_directories(to.parent_path());
  remove_file(to);
  fs::create_hard_link(from, to, failed);
  if (failed) fs::copy_file(from, to);
}

const char* const checkpoint_choices[] = {"none", "best", "all", nullptr};

class Wandb : public Logger {
 public:
  static constexpr levin_option options[] = {
      text("project", "\"\"", "project of the run; \"\" = WANDB_PROJECT, else levin_logs"),
      text("entity", "\"\"", "user or team of the project; \"\" = WANDB_ENTITY, else the default of the account"),
      text("prefix", "\"\"", "prefix of the metric names, joined with -"),
      choice("log_model", "none", "checkpoints to keep with the run: none, the best one at the end, or all",
             checkpoint_choices),
  };
  static constexpr uint64_t flags = LEVIN_F_OFF_IN_FAST_DEV_RUN;

  explicit Wandb(const Args& args) : prefix_(args.text("prefix")), checkpoints_(args.text("log_model")) {
    run_.project = or_environment(args.text("project"), "WANDB_PROJECT", "levin_logs");
    run_.entity = or_environment(args.text("entity"), "WANDB_ENTITY", "");
    if (!prefix_.empty()) prefix_ += "-";
  }

  // The files are made with the first value, so that a run that fails before it leaves none.
  void begin(const LoggerBegin& b) {
    file_.reset();
    folder_ = fs::path(b.run_dir) / "wandb";
    run_.name = b.run_name;
    run_.tags = b.tags;
    run_.host = host_name();
    hparams_ = b.hparams_json;
    summed_rows_ = -1;
    const std::string uid = b.run.text("run_uid");
    const std::optional<Position> loaded = std::exchange(loaded_, std::nullopt);
    now_ = {};
    now_.id = uid.size() == 32 && name() == "wandb" ? uid.substr(0, 12) : loggers::random_hex(12);
    if (b.resumed_step >= 0 && loaded) go_on(*loaded);
  }

  void metrics(int64_t step, const Metrics& m) {
    Items items;
    items.reserve(m.size + 4);
    for (uint32_t i = 0; i < m.size; ++i) items.emplace_back(prefix_ + m.names[i], loggers::number_text(m.values[i]));
    for (const auto& [name, value] : items) now_.summary[name] = value;
    add_row(step, std::move(items));
  }

  void media(const levin_media& m) {
    const std::optional<MediaValue> value = media_value(m, now_.rows);
    if (!value) {
      if (unknown_.insert(m.kind).second)
        warn(std::string("W&B files have no media of the kind ") + m.kind + " here: '" + m.tag +
             "' and others of it are left out");
      return;
    }
    open();
    if (!value->path.empty()) {
      const fs::path to = files() / value->path;
      fs::create_directories(to.parent_path());
      loggers::write_text(to, value->file, std::ios::trunc);
      add(file_record(next(), value->path, FileType::media));
    }
    add_row(m.step, {{m.tag, value->json}});
  }

  void artifact(const Artifact& a) { keep(a.path, "artifacts" / fs::path(a.name).relative_path()); }

  void after_save(const Saved& saved) {
    if (saved.best) best_ = saved.path;
    if (checkpoints_ == "all") keep_checkpoint(saved.path);
  }

  void hparams(const std::string& json) {
    hparams_ = loggers::with_late_hparams(hparams_, json);
    if (file_) add(config_record(next(), members(hparams_)));
  }

  void flush() {
    if (!file_) return;
    write_summary();
    file_->flush();
  }

  void finalize(const std::string& status) {
    if (!file_) return;
    if (checkpoints_ == "best" && !best_.empty()) keep_checkpoint(best_);
    write_summary();
    const int32_t code = status == "success" ? 0 : status == "failed" ? 1 : 255;
    add(exit_record(next(), code, static_cast<int32_t>(now() - now_.start_time)));
    file_->flush();
    file_.reset();
    if (status == "success") info("W&B: wandb sync " + path_from_here(folder_ / now_.folder));
  }

  // Saves the number of bytes to keep on resume. The host syncs the file before the checkpoint becomes visible.
  void save(Writer writer) const {
    if (file_) file_->flush();
    writer.put("log", loaded_ ? to_json(*loaded_) : file_ ? to_json(now_) : std::string());
    writer.put("best", best_);
  }
  void load(Reader reader) {
    if (std::string text; reader.get("log", text)) loaded_ = position_of(text);
    reader.get("best", best_);
  }

 private:
  fs::path files() const { return folder_ / now_.folder / "files"; }
  fs::path log() const { return folder_ / now_.folder / ("run-" + now_.id + ".wandb"); }
  int64_t next() { return ++now_.records; }

  // Keeps a file, or the files of a folder, below `name` in the files of the run, whose first folder it has to stay in.
  void keep(const fs::path& from, const fs::path& name) {
    open();
    for (const fs::path& file : files_of(from)) {
      const fs::path path = name / file;
      const std::string inside = (path.has_filename() ? path : path.parent_path()).lexically_normal().string();
      if (inside.rfind(name.begin()->string() + "/", 0) != 0)
        throw Error(LEVIN_E_INVALID,
                    "artifact '" + name.lexically_relative(*name.begin()).string() + "': has no file name");
      link_or_copy(file.empty() ? from : from / file, files() / inside);
      add(file_record(next(), inside, FileType::other));
    }
  }
  void keep_checkpoint(const fs::path& path) {
    if (fs::exists(path)) keep(path, "checkpoints" / path.filename());
  }

  void add(const std::string& record) {
    const std::string bytes = log_record(now_.bytes, record);
    file_->write(bytes);
    now_.bytes += bytes.size();
  }

  void open() {
    if (file_) return;
    if (folder_.empty()) throw Error(LEVIN_E_STATE, "there is no run: begin comes before, finalize behind");
    now_.start_time = now();
    now_.folder = folder_of_restart();
    fs::create_directories(files());
    open_file(O_TRUNC);
    file_->write(log_header());
    now_.bytes = log_header().size();
    run_.id = now_.id;
    run_.start_time = now_.start_time;
    run_.config = members(hparams_);
    add(header_record(next()));
    add(run_record(next(), run_));
    add(step_metric_record(next(), step_metric));
    add(all_metrics_record(next(), step_metric));
  }

  // A run that was killed before its first checkpoint and begins again writes into the folder that it had.
  std::string folder_of_restart() const {
    std::error_code none;
    const std::string end = "-" + now_.id;
    for (const fs::directory_entry& entry : entries_of(folder_, none)) {
      const std::string name = entry.path().filename().string();
      if (name.rfind("offline-run-", 0) == 0 && ends_with(name, end)) return name;
    }
    return "offline-run-" + local_time() + end;
  }

  void open_file(int how) {
    file_ = loggers::AppendFile::open(log(), how);
    if (!file_) throw Error(LEVIN_E_IO, "cannot write " + log().string() + ": " + std::strerror(errno));
    loggers::remove_text(log().string() + ".synced");  // else wandb sync skips the run
  }

  // Cuts what was logged after the checkpoint and appends to the same file, so that W&B shows one run.
  void go_on(const Position& position) {
    now_ = position;
    std::error_code failed;
    const uint64_t size = fs::file_size(log(), failed);
    if (failed || size < now_.bytes) {
      warn(log().string() + (failed ? " is gone" : " has lost its end") +
           ": the log begins anew, with the same run id");
      now_ = {};
      now_.id = position.id;
      now_.rows = position.rows;
      now_.summary = position.summary;
      return;
    }
    fs::resize_file(log(), now_.bytes);
    open_file(O_APPEND);
  }

  void add_row(int64_t step, Items items) {
    open();
    const double time = now();
    items.emplace_back(step_metric, std::to_string(step));
    items.emplace_back("_timestamp", fixed(time, 3));
    items.emplace_back("_runtime", fixed(time - now_.start_time, 3));
    items.emplace_back("_step", std::to_string(now_.rows));
    for (size_t i = items.size() - 4; i < items.size(); ++i) now_.summary[items[i].first] = items[i].second;
    add(history_record(next(), now_.rows++, items));
    if (time >= written_ + 1 || time < written_) {  // a reader sees a run that trains
      file_->flush();
      written_ = time;
    }
  }

  void write_summary() {
    if (now_.rows == summed_rows_) return;
    add(summary_record(next(), Items(now_.summary.begin(), now_.summary.end())));
    summed_rows_ = now_.rows;
  }

  Run run_;
  std::string prefix_, checkpoints_, hparams_;
  std::string best_;  // path of the best checkpoint
  fs::path folder_;   // "" = no run has begun
  std::unique_ptr<loggers::AppendFile> file_;
  Position now_;                    // including buffered bytes of file_
  std::optional<Position> loaded_;  // from the checkpoint, until begin
  int64_t summed_rows_ = -1;        // rows when the summary was written
  double written_ = 0;              // seconds since 1970
  std::set<std::string> unknown_;   // kinds of media with a warning
};

}  // namespace
}  // namespace levin::wandb

LEVIN_PLUGIN("levin.wandb", "0.1.0", "Apache-2.0",
             levin::logger<levin::wandb::Wandb>("wandb", "Writes runs for Weights & Biases, to be sent by wandb sync"));
