// Runs of scripted plugins within the test: their configuration, their console and the calls that the plugins record.
#pragma once
#include <cstdlib>
#include <string>
#include <vector>

#include "catch.hpp"
#include "core/base/console/console.hpp"
#include "core/base/text.hpp"
#include "core/config/run_config.hpp"
#include "core/config/trainer/host_options.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "temp_folder.hpp"

class RunScene {
 public:
  RunScene() {
    setenv("LEVIN_TEST_TRACE", trace_folder().file("trace").c_str(), 1);
    std::filesystem::remove(trace_folder() / "trace");
  }

  // A fit of two epochs of two batches in one thread; the options are added to it.
  levin::core::RunConfig config(const nlohmann::json& model = {}, const nlohmann::json& data = {},
                                const nlohmann::json& trainer = {}) const {
    levin::core::RunConfig config;
    config.command = levin::core::Command::fit;
    config.model = component("plain", "test_models", model);
    config.data = component("rows", "test_rows", data);
    config.loggers = {component("near", "test_loggers", {})};
    for (const auto& option : levin::core::loader_options()) config.loader[option.schema.name] = option.schema.deflt;
    config.loader["batch_size"] = config.loader["eval_batch_size"] = 2;
    nlohmann::json given = {{"accelerator", "cpu"},      {"max_epochs", 2},
                            {"seed_everything", 1},      {"num_threads", 1},
                            {"num_sanity_val_steps", 0}, {"enable_progress_bar", false},
                            {"log_every_n_steps", 1},    {"default_root_dir", folder.path().string()}};
    if (trainer.is_object()) given.update(trainer);
    config.trainer = levin::core::resolve_trainer(given, {});
    return config;
  }
  static levin::core::ComponentConfig component(const char* id, const std::string& plugin,
                                                const nlohmann::json& options) {
    return {id, LEVIN_TEST_PLUGINS "/lib" + plugin + ".so", id,
            options.is_object() ? options : nlohmann::json::object()};
  }
  // Returns the recorded calls that start with the text.
  static std::vector<std::string> calls(const std::string& start) {
    std::vector<std::string> found;
    for (const std::string& line : levin::core::split(trace_folder().read("trace"), '\n'))
      if (levin::core::starts_with(line, start)) found.push_back(line);
    return found;
  }
  bool said(const std::string& text) const { return levin::core::join(lines, "\n").find(text) != std::string::npos; }
  std::filesystem::path run() const { return folder / "levin_logs/version_0"; }

  TempFolder folder;
  std::vector<std::string> lines;  // of the console
  levin::core::Console console{[this](int32_t, const std::string& line) { lines.push_back(line); }};

 private:
  static const TempFolder& trace_folder() {  // plugins read the variable once
    static const TempFolder made;
    return made;
  }
};

struct Ended {
  int code = -1;
  levin::core::ErrorKind kind = levin::core::ErrorKind::internal;
  std::string error;  // "" = none
};

// Calls run(), which returns an exit code or throws Error.
template <class Run>
Ended ended(const Run& run) try {
  return {run(), {}, ""};
} catch (const levin::core::Error& e) {
  return {e.exit_code(), e.kind(), e.what()};
}
