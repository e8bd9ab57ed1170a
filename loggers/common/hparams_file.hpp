// The file hparams.yaml in a run's folder. If several loggers of a run write it, they all write the same.
#pragma once
#include <filesystem>
#include <string>

namespace levin::loggers {

// The folder must exist; `json` is levin_logger_begin::hparams_json.
void write_hparams_file(const std::filesystem::path& run_dir, const std::string& json);

}  // namespace levin::loggers
