// MLflow's file store: mlruns/EXPERIMENT/RUN/{meta.yaml, metrics/NAME, params/NAME, tags/NAME, artifacts/}.
#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <set>
#include <sstream>

#include "../common/append_file.hpp"
#include "../common/text_file.hpp"
#include "../common/values.hpp"
#include "experiments.hpp"
#include "json.hpp"
#include "keep_file.hpp"
#include "levin/util/uninterrupted.hpp"
#include "meta_yaml.hpp"
#include "store.hpp"

namespace fs = std::filesystem;

namespace levin::mlflow {
namespace {

constexpr int64_t write_every_ms = 1000;
constexpr int running = 1, finished = 3, failed_status = 4, killed = 5;  // RunStatus in MLflow's service.proto

std::string user() {
  const passwd* entry = getpwuid(geteuid());
  return entry ? entry->pw_name : std::to_string(geteuid());
}

// Returns the folder of the run with this id, in any experiment; "" = none.
fs::path run_folder(const fs::path& root, const std::string& id) {
  std::error_code failed;
  for (const fs::directory_entry& entry : entries_of(root, failed))
    if (fs::is_regular_file(entry.path() / id / "meta.yaml", failed)) return entry.path() / id;
  return {};
}

class FileStore : public Store {
 public:
  FileStore(const fs::path& root, const Opening& opening) : opening_(opening), run_(run_folder(root, opening.uid)) {
    if (run_.empty())
      make(root);
    else
      go_on();
    for (const auto& [name, value] : opening.tags) write("tags", name, value);
    write_meta(running);
  }

  void param(const std::string& name, const std::string& value) override { write("params", name, value); }

  void metrics(int64_t step, int64_t time_ms, const Values& values) override {
    const std::string time = std::to_string(time_ms) + " ", end = " " + std::to_string(step) + "\n";
    for (const auto& [name, value] : values) waiting_[name] += time + loggers::number_text(value) + end;
    if (time_ms >= written_ms_ + write_every_ms || time_ms < written_ms_) {
      flush();
      written_ms_ = time_ms;
    }
  }

  void artifact(const fs::path& from, const std::string& name, bool is_final) override {
    keep_file(from, run_ / "artifacts" / name, is_final);
  }

  void content(const std::string& bytes, const std::string& name) override {
    keep_bytes(bytes, run_ / "artifacts" / name);
  }

  void flush() override {
    for (const auto& [name, lines] : std::exchange(waiting_, {})) {
      const fs::path file = run_ / "metrics" / name;
      std::error_code failed;
      fs::create_directories(file.parent_path(), failed);
      if (failed || fs::is_directory(file, failed)) {  // there are metrics "a" and "a/b"
        if (refused_.insert(name).second)
          opening_.warn("the metric " + name +
                        " is left out: another metric has a folder or file of this name in MLflow's file store");
        continue;
      }
      loggers::write_text(file, lines, std::ios::app);
      sizes_[name] += lines.size();
    }
  }

  void end(const std::string& status) override {
    flush();
    write_meta(status == "FINISHED" ? finished : status == "FAILED" ? failed_status : killed);
  }

  std::string state() override {
    flush();
    return text_of({{"sizes", sizes_}});
  }

 private:
  void make(const fs::path& root) {
    if (!opening_.state.empty())
      opening_.warn("the run " + opening_.uid + " in " + root.string() +
                    " is gone: MLflow lacks what was logged before");
    run_ = root / experiment_of(root, opening_.experiment) / opening_.uid;
    start_ms_ = now_ms();
    for (const char* folder : {"metrics", "params", "tags", "artifacts"}) fs::create_directories(run_ / folder);
    for (const auto& [name, value] : opening_.params) param(name, value);
  }

  // Cuts the metrics to their sizes at the checkpoint.
  void go_on() {
    start_ms_ = std::strtoll(member(loggers::read_text(run_ / "meta.yaml"), "start_time").c_str(), nullptr, 10);
    const Json state = parsed(opening_.state);
    if (state.is_object()) sizes_ = state.value("sizes", sizes_);
    std::error_code failed;
    for (auto at = fs::recursive_directory_iterator(run_ / "metrics", failed);
         !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
      if (!at->is_regular_file()) continue;
      const auto kept = sizes_.find(fs::relative(at->path(), run_ / "metrics").string());
      cut_metric(at->path(), kept == sizes_.end() ? 0 : kept->second);
    }
  }

  void cut_metric(const fs::path& file, uint64_t bytes) const {
    const uint64_t size = fs::file_size(file);
    if (bytes == 0) return loggers::remove_text(file);
    if (size > bytes) return fs::resize_file(file, bytes);
    if (size < bytes)
      opening_.warn(file.string() + " has " + std::to_string(size) + " of the " + std::to_string(bytes) +
                    " bytes that were written before the checkpoint");
  }

  void write(const char* folder, const std::string& name, const std::string& value) const {
    const fs::path file = run_ / folder / name;
    fs::create_directories(file.parent_path());
    loggers::write_text(file, value, std::ios::trunc);
  }

  void write_meta(int status) const {
    const std::string experiment = run_.parent_path().filename().string(), id = run_.filename().string();
    loggers::replace_text(
        run_ / "meta.yaml",
        "artifact_uri: " + quoted(file_uri(run_ / "artifacts")) +
            "\nend_time: " + (status == running ? "null" : std::to_string(now_ms())) +
            "\nentry_point_name: ''\nexperiment_id: " + quoted(experiment) + "\nlifecycle_stage: active\nrun_id: " +
            quoted(id) + "\nrun_name: " + quoted(opening_.run_name) + "\nrun_uuid: " + quoted(id) +
            "\nsource_name: ''\nsource_type: 4\nsource_version: ''\nstart_time: " + std::to_string(start_ms_) +
            "\nstatus: " + std::to_string(status) + "\ntags: []\nuser_id: " + quoted(user()) + "\n");
  }

  const Opening opening_;
  fs::path run_;
  int64_t start_ms_ = 0, written_ms_ = 0;
  std::map<std::string, std::string> waiting_;  // lines of a metric that are not written yet
  std::map<std::string, uint64_t> sizes_;       // bytes of the files of metrics
  std::set<std::string> refused_;
};

}  // namespace

std::unique_ptr<Store> open_file_store(const fs::path& root, const Opening& opening) {
  return std::make_unique<FileStore>(root, opening);
}

}  // namespace levin::mlflow
