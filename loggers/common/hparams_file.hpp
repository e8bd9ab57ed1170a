// The file hparams.yaml of a run's folder. Loggers of one run that all write it write the same.
#pragma once
#include <filesystem>
#include <string>

namespace levin::loggers {

// The folder has to be there; json as in levin_logger_begin::hparams_json.
void write_hparams_file(const std::filesystem::path& run_dir, const std::string& json);

}  // namespace levin::loggers
