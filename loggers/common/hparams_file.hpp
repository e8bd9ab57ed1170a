// The file hparams.yaml in a run's folder. If several loggers of a run write it, they all write the same.
#pragma once
#include <filesystem>
#include <string>

namespace levin::loggers {

class HparamsFile {
 public:
  // The folder must exist; `json` is levin_logger_begin::hparams_json.
  void write(const std::filesystem::path& run_dir, const std::string& json);
  void add(const std::string& late_json);  // what became known since

 private:
  std::filesystem::path run_dir_;
  std::string json_;
};

}  // namespace levin::loggers
