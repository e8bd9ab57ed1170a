// checkpoints/index.json of a run folder, and the index of sharded weights.
#include "core/base/error.hpp"
#include "core/run_folder/run_folder.hpp"
#include "core/weights/state_dict_file.hpp"
#include "tests/fuzz/target.hpp"

using namespace levin::core;

namespace {

struct Run {
  levin::fuzz::ScratchFolder folder;
  Run() {
    std::filesystem::create_directory(folder.path() / "checkpoints");
    folder.put("config.json", "{}");
  }
};

}  // namespace

LEVIN_FUZZ_TARGET(run_index) {
  static const Run run;
  const std::string bytes = levin::fuzz::text_of(data, size);
  run.folder.put("checkpoints/index.json", bytes);
  RunFolder folder = RunFolder::open(run.folder.path());
  folder.index_problem();
  folder.announced("best");
  folder.list();
  run.folder.put("model.safetensors.index.json", bytes);
  try {
    StateDictFile((run.folder.path() / "model.safetensors.index.json").string());
  } catch (const Error&) {
  }
}
