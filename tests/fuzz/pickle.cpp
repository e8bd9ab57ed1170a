// A pickle alone, and within an archive with valid checksums, also as a Lightning checkpoint.
#include "core/weights/pickle.hpp"
#include "core/weights/torch_types.hpp"
#include "core/weights/zip_archive.hpp"
#include "lightning/file/lightning_checkpoint.hpp"
#include "lightning/file/python_optimizer.hpp"
#include "lightning/file/state_conversions.hpp"
#include "tests/fuzz/read_weights.hpp"

using namespace levin::core;

namespace {

bool reads(std::string_view bytes) try {
  const Pickle pickle(bytes);
  for (uint32_t i = 0; i < pickle.size(); ++i) try {
      pickled_tensor(pickle, i);
    } catch (const std::runtime_error&) {
    }
  return true;
} catch (const std::runtime_error&) {
  return false;
}

// Invalid content causes a std::exception, which a run reports with the place in the file.
void read_lightning(const std::string& path) try {
  const LightningCheckpoint file(path);
  file.keys(), file.weight_names(), file.callback_names(), file.hyper_parameters();
  optimizer_states(file);
  const nlohmann::json own = {{"scheduler", "step"}, {"last_epoch", 1}, {"last_lr", {0.1}}, {"base_lrs", {0.1}}};
  for (const nlohmann::json& saved : file.part("lr_schedulers").values) {
    changed_options({{"step_size", 1}, {"gamma", 0.5}}, saved);
    schedule_of_python(own, saved);
  }
  const nlohmann::json loops = file.part("loops").values;
  if (loops.is_object()) loops_of_lightning(loops.value("fit_loop", nlohmann::json()));
} catch (const std::exception&) {
}

ZipMember member(const std::string& name, std::string content) {
  ZipMember out{"archive/" + name, content.size(), {}};
  out.content = [content = std::move(content)](const auto& write) { write(content.data(), content.size()); };
  return out;
}

}  // namespace

LEVIN_FUZZ_TARGET(pickle) {
  static const levin::fuzz::ScratchFolder folder;
  const std::string bytes = levin::fuzz::text_of(data, size);
  if (!reads(bytes)) return;
  const std::string path = (folder.path() / "weights.pt").string();
  write_zip(path, {member("data.pkl", bytes), member("data/0", std::string(64, 'x')), member("data/1", "yyyy")});
  levin::fuzz::read_weights(path);
  read_lightning(path);
}
