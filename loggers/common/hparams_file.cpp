#include "hparams_file.hpp"

#include "text_file.hpp"
#include "yaml.hpp"

namespace levin::loggers {

void write_hparams_file(const std::filesystem::path& run_dir, const std::string& json) {
  replace_text(run_dir / "hparams.yaml", yaml_of_json(json));
}

}  // namespace levin::loggers
