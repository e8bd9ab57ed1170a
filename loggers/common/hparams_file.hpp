// The file hparams.yaml in a run folder. Several loggers of a run write the same content.
#pragma once
#include <filesystem>
#include <string>

namespace levin::loggers {

class HparamsFile {
 public:
  // The folder must exist; `json` is levin_logger_begin::hparams_json.
  void write(const std::filesystem::path& run_dir, const std::string& json);
  void add(const std::string& late_json);  // adds hyper-parameters that became known later

 private:
  std::filesystem::path run_dir_;
  std::string json_;
};

}  // namespace levin::loggers
