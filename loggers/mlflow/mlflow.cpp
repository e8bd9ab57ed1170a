// Writes a run into MLflow: into the folder mlruns of its file store, or to a tracking server.
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>

#include "../common/values.hpp"
#include "json.hpp"
#include "levin/logger.hpp"
#include "levin/util/terminal.hpp"
#include "store.hpp"

namespace fs = std::filesystem;

namespace levin::mlflow {
namespace {

// Returns the option, or else the value of the environment.
std::string given(const std::string& option, const char* name) {
  const char* value = std::getenv(name);
  return option.empty() && value ? value : option;
}

bool is_address(const std::string& uri) { return uri.rfind("http://", 0) == 0 || uri.rfind("https://", 0) == 0; }

// Returns the folder that a URI without a server names.
fs::path folder_of(std::string uri) {
  if (uri.rfind("file://", 0) == 0)
    uri = uri.substr(7);
  else if (uri.rfind("file:", 0) == 0)
    uri = uri.substr(5);
  else if (uri.find(':') != std::string::npos)
    throw Error(LEVIN_E_INVALID, "tracking_uri begins with " +
                                     uri.substr(0, uri.find(':') + 1) +  // a password may follow
                                     " Give a folder, or the address of a server that begins with http:// or https://. "
                                     "A database is written by the server: mlflow server");
  return fs::absolute(uri);
}

const char* const checkpoint_choices[] = {"none", "best", "all", nullptr};

class Mlflow : public Logger {
 public:
  static constexpr levin_option options[] = {
      text("tracking_uri", "\"\"",
           "folder, or http(s) address of a server; \"\" = MLFLOW_TRACKING_URI, else the folder mlruns"),
      text("experiment_name", "\"\"", "experiment of the run; \"\" = MLFLOW_EXPERIMENT_NAME, else levin_logs"),
      text("prefix", "\"\"", "prefix of the metric names, joined with -"),
      choice("log_model", "none", "checkpoints to keep as artifacts: none, the best one at the end, or all",
             checkpoint_choices),
  };
  static constexpr uint64_t flags = LEVIN_F_OFF_IN_FAST_DEV_RUN;

  explicit Mlflow(const Args& args)
      : uri_(given(args.text("tracking_uri"), "MLFLOW_TRACKING_URI")),
        experiment_(given(args.text("experiment_name"), "MLFLOW_EXPERIMENT_NAME")),
        prefix_(args.text("prefix")),
        checkpoints_(args.text("log_model")) {
    if (!prefix_.empty()) prefix_ += "-";
    if (experiment_.empty()) experiment_ = "levin_logs";
    while (is_address(uri_) && uri_.back() == '/') uri_.pop_back();
    if (!uri_.empty() && !is_address(uri_)) folder_of(uri_);  // refuses other schemes before anything is made
    if (is_address(uri_) && uri_.find('@') < uri_.find('/', uri_.find("://") + 3))
      throw Error(LEVIN_E_INVALID,
                  "tracking_uri contains a user name or a password, which config.json would keep: set "
                  "MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD, or MLFLOW_TRACKING_TOKEN");
  }

  void begin(const LoggerBegin& b) {
    store_.reset();
    const std::string uid = b.run.text("run_uid");
    opening_ = {};
    opening_.experiment = experiment_;
    opening_.run_name = b.run_name.empty() ? b.run_id : b.run_name;
    opening_.uid = (uid.empty() ? loggers::random_hex(32) : uid) +
                   (std::string(name()) == "mlflow" ? "" : "-" + std::string(name()));
    opening_.folder = fs::path(b.run_dir) / name();
    opening_.info = [this](const std::string& text) { info(text); };
    opening_.warn = [this](const std::string& text) { warn(text); };
    opening_.state = std::exchange(state_, "");
    if (uri_.empty())
      root_ = fs::path(b.run.text("default_root_dir")) / "mlruns";
    else if (!is_address(uri_))
      root_ = folder_of(uri_);
    for (const HParam& p : b.hparams) add_param(p.name, p.text());
    add_tags(b);
    if (b.resumed_step >= 0) store();
  }

  void metrics(int64_t step, const Metrics& m) {
    Values values;
    for (uint32_t i = 0; i < m.size; ++i)
      values.emplace_back(metrics_.accepted(prefix_ + m.names[i], opening_.warn), m.values[i]);
    store().metrics(step, now_ms(), values);
  }

  void media(const levin_media& m) {
    const std::string kind = m.kind, at = "/" + accepted_file_name(m.tag) + "-" + std::to_string(m.step);
    if ((kind == "image" || kind == "figure") && m.view)
      store().content(loggers::png_of(m), "images" + at + ".png");
    else if (kind == "text" && m.text)
      store().content(m.text, "texts" + at + ".txt");
    else if (kind == "table" && m.text)
      store().content(m.text, "tables" + at + ".json");
    else if (unknown_.insert(kind).second)
      warn("MLflow has no media of the kind " + kind + ": '" + m.tag + "' and others of it are left out");
  }

  void artifact(const Artifact& a) { store().artifact(a.path, accepted_file_name(a.name), false); }

  void hparams(const std::string& json) {
    const Json late = parsed(json);
    for (const auto& [name, value] : late.items()) {
      add_param(name, value.is_string() ? value.get<std::string>() : value.dump());
      if (store_) store_->param(opening_.params.back().first, opening_.params.back().second);
    }
  }

  void after_save(const Saved& saved) {
    if (saved.best) best_ = saved.path;
    if (checkpoints_ == "all") keep(saved.path);
  }

  void flush() {
    if (store_) store_->flush();
  }

  // A run that ends before it has logged anything leaves nothing in MLflow.
  void finalize(const std::string& status) {
    if (!store_) return;
    if (checkpoints_ == "best" && !best_.empty()) keep(best_);
    store_->end(status == "success" ? "FINISHED" : status == "failed" ? "FAILED" : "KILLED");
    if (status == "success" && !is_address(uri_))
      info("curves: MLFLOW_ALLOW_FILE_STORE=true mlflow ui --backend-store-uri " + path_from_here(root_));
  }

  void save(Writer writer) const {
    writer.put("store", store_ ? store_->state() : state_);
    writer.put("best", best_);
  }
  void load(Reader reader) {
    reader.get("store", state_);
    reader.get("best", best_);
  }

 private:
  // Opened when the first value comes, so that a run that fails before it leaves nothing.
  Store& store() {
    if (!opening_.warn) throw Error(LEVIN_E_STATE, "there is no run: begin comes before");
    if (!store_) store_ = is_address(uri_) ? open_server_store(uri_, opening_) : open_file_store(root_, opening_);
    return *store_;
  }

  std::string cut(const char* kind, const std::string& name, const std::string& value, size_t longest) const {
    if (value.size() > longest)
      warn("the " + std::string(kind) + " '" + name + "' has " + std::to_string(value.size()) +
           " bytes: MLflow gets the first " + std::to_string(longest));
    return cut_text(value, longest);
  }
  void add_param(const std::string& name, const std::string& value) {
    opening_.params.emplace_back(params_.accepted(name, opening_.warn), cut("parameter", name, value, longest_param));
  }

  // A tag "a=b" has the value b, another one the value true.
  void add_tags(const LoggerBegin& b) {
    const auto add = [&](const std::string& name, const std::string& value) {
      opening_.tags.emplace_back(tags_.accepted(name, opening_.warn), cut("tag", name, value, longest_tag));
    };
    add("mlflow.runName", opening_.run_name);
    add("mlflow.source.name", "levin");
    add("mlflow.source.type", "LOCAL");
    add("levin.run_dir", fs::absolute(b.run_dir).string());
    for (const std::string& tag : b.tags) {
      const size_t equals = tag.find('=');
      equals == std::string::npos ? add(tag, "true") : add(tag.substr(0, equals), tag.substr(equals + 1));
    }
  }

  void keep(const std::string& checkpoint) {
    std::error_code failed;
    if (fs::exists(checkpoint, failed))  // else a newer one has replaced it
      store().artifact(checkpoint, accepted_file_name("checkpoints/" + fs::path(checkpoint).filename().string()), true);
  }

  std::string uri_, experiment_, prefix_, checkpoints_;
  fs::path root_;  // of the file store
  Opening opening_;
  std::unique_ptr<Store> store_;
  std::string state_, best_;  // from the checkpoint; the path of the best checkpoint
  Names metrics_{"metric"}, params_{"parameter"}, tags_{"tag"};
  std::set<std::string> unknown_;  // kinds of media with a warning
};

}  // namespace
}  // namespace levin::mlflow

LEVIN_PLUGIN("levin.mlflow", "0.1.0", "Apache-2.0",
             levin::logger<levin::mlflow::Mlflow>("mlflow", "Writes runs to MLflow: to its file store or to a server"));
