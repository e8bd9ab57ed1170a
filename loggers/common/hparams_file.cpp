#include "hparams_file.hpp"

#include "late_hparams.hpp"
#include "text_file.hpp"
#include "yaml.hpp"

namespace levin::loggers {

void HparamsFile::write(const std::filesystem::path& run_dir, const std::string& json) {
  run_dir_ = run_dir;
  json_ = json;
  replace_text(run_dir_ / "hparams.yaml", yaml_of_json(json_));
}

void HparamsFile::add(const std::string& late_json) { write(run_dir_, with_late_hparams(json_, late_json)); }

}  // namespace levin::loggers
