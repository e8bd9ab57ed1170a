// Checkpoints with valid checksums and wrong content: each is loaded, or rejected with file and key.
#include <ATen/ops/ones.h>
#include <stdlib.h>

#include <filesystem>
#include <set>

#include "catch.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"
#include "core/checkpoint/container/safetensors_writer.hpp"
#include "core/checkpoint/data_fields.hpp"
#include "core/loops/training_epoch_loop.hpp"
#include "tests/services/service_scene.hpp"

using namespace levin::core;
using nlohmann::json;

namespace {

// A run in the middle of an epoch, with an optimizer, a schedule and a logged metric.
struct Trained {
  Trained() {
    net.scheduler = "exponential";
    scene.configure();
    net.in_step = [this](const levin_step_in&) {
      levin_log call{};
      call.size = sizeof call;
      call.on_step = call.on_epoch = call.logger = 1;
      call.name = "seen";
      call.number = 1;
      call.batch_size = -1;
      scene.log.log(LogOrigin::training_step, call);
    };
    scene.plan.duration.max_steps = 2;
    scene.progress.begin_epoch();
    scene.progress.start_epoch();
    ScheduleStepper schedules(scene.model, scene.optimizers, scene.log, scene.progress, &scene.run, nullptr);
    TrainingEpochLoop(scene.context, scene.optimizers, *scene.optimization, schedules, scene.validation).run(3);
  }
  ToyNet net;
  ServiceScene scene{net};
};

json with_data(json manifest) {
  FieldInfo x, y;
  x.name = "x", x.dtype = {2, 32, 1}, x.shape = {2};
  y.name = "y", y.dtype = {0, 64, 1}, y.role = LEVIN_ROLE_TARGET, y.classes = 2, y.class_names = {"no", "\xb7"};
  const RawFields fields({x, y});
  levin_data_info info{};
  info.rows[LEVIN_TRAIN] = 6;
  fields.show(info);
  manifest["data"] = data_to_json(&info);
  return manifest;
}

// The content of a checkpoint, which can be written again with another manifest.
class Forger {
 public:
  explicit Forger(const std::string& path) : file_(path), manifest(with_data(file_.manifest())) {
    for (const std::string& name : file_.names()) {
      const TensorView view = file_.tensor(name);
      content_.tensors.push_back({name, view.dtype, view.shape, view.data, view.bytes});
    }
  }
  void write(const std::string& path, const json& forged) {
    content_.manifest = forged;
    write_safetensors(path, content_);
  }

 private:
  SafetensorsReader file_;
  SafetensorsContent content_;

 public:
  const json manifest;
};

// Returns the JSON pointers of every value and of everything that contains it.
std::set<std::string> places_in(const json& manifest) {
  std::set<std::string> out;
  const json values = manifest.flatten();
  for (const auto& item : values.items())
    for (json::json_pointer at(item.key()); !at.empty(); at.pop_back()) out.insert(at.to_string());
  return out;
}

// Thousands of files are written durably, so they are kept in memory.
class MemoryDir {
 public:
  MemoryDir() {
    char in_memory[] = "/dev/shm/levin_forged_XXXXXX", on_disk[] = "/tmp/levin_forged_XXXXXX";
    const char* made = mkdtemp(in_memory);
    path_ = made ? made : mkdtemp(on_disk);
  }
  ~MemoryDir() { std::filesystem::remove_all(path_); }
  MemoryDir(const MemoryDir&) = delete;
  MemoryDir& operator=(const MemoryDir&) = delete;
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string load(Trained& run, const std::string& path) {
  try {
    const CheckpointReader file(path);
    const SavedDataInfo data(file.manifest().value("data", json()), path + ": data");
    run.scene.state.load_model(file, true);
    run.scene.state.load_training(file, run.scene.state.load_position(file));
    run.scene.state.load_gradients(file);
  } catch (const Error& e) {
    CHECK(e.kind() == ErrorKind::checkpoint);
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("whatever stands in the place of a manifest's value is refused by file and key, or is loaded") {
  const MemoryDir folder;
  const std::string good = folder.file("good.ckpt"), bad = folder.file("bad.ckpt");
  Trained run;
  run.scene.state.save(good, false);
  REQUIRE(load(run, good).empty());
  Forger forger(good);
  REQUIRE(forger.manifest.at("loops").at("epoch_metrics").size() == 1);
  REQUIRE(forger.manifest.at("lr_schedulers").size() == 1);
  const json instead[] = {nullptr, true, -7, 1e300, "rm", json::array({1}), {{"x", 1}}};
  size_t refused = 0;
  for (const std::string& at : places_in(forger.manifest))
    for (const json& value : instead) {
      json forged = forger.manifest;
      forged[json::json_pointer(at)] = value;
      INFO(at << " = " << value);
      forger.write(bad, forged);
      const std::string said = load(run, bad);
      if (said.empty()) continue;
      ++refused;
      CHECK_THAT(said, ContainsSubstring(bad) && !ContainsSubstring("json.exception"));
      if (at != "/weights_only")  // this case has a message without the key
        CHECK_THAT(said, ContainsSubstring(at.substr(1, at.find('/', 1) - 1)));  // the key
    }
  CHECK(refused > 300);
}

TEST_CASE("more batches than there can be in an epoch of so many processes are refused") {
  const MemoryDir folder;
  const std::string good = folder.file("good.ckpt"), bad = folder.file("bad.ckpt");
  Trained run;
  run.scene.state.save(good, false);
  json forged = Forger(good).manifest;
  forged["world_size"] = 1500;
  for (auto& count : forged["loops"]["progress"]["epoch_loop.batch_progress"]["current"]) count = int64_t{1} << 53;
  Forger(good).write(bad, forged);
  CHECK_THROWS_WITH(run.scene.state.load_position(CheckpointReader(bad)),
                    ContainsSubstring(bad + ": loops: ") && ContainsSubstring("more than there can be"));
}

TEST_CASE("the names of classes are any bytes, and are kept as they are") {
  const json saved = json::parse(with_data(json::object()).dump());
  const SavedDataInfo data(saved.at("data"), "data");
  CHECK(data.fields().at(1).class_names == std::vector<std::string>{"no", "\xb7"});
  CHECK(data.raw()->fields[1].classes == 2);
  CHECK(data.raw()->rows[LEVIN_TRAIN] == 6);
}

TEST_CASE("a manifest without one of its keys, and tensors of other shapes, are refused by file") {
  const MemoryDir folder;
  const std::string good = folder.file("good.ckpt"), bad = folder.file("bad.ckpt");
  Trained run;
  run.scene.state.save(good, false);
  Forger forger(good);
  for (const auto& part : forger.manifest.items()) {
    json forged = forger.manifest;
    forged.erase(part.key());
    forger.write(bad, forged);
    const std::string said = load(run, bad);
    if (!said.empty()) CHECK_THAT(said, ContainsSubstring(bad) && ContainsSubstring(part.key()));
  }
  for (const char* name : {"generators.cpu", "state_dict.w", "gradients.w"}) {
    CheckpointWriter out;
    out.manifest() = forger.manifest;
    out.manifest()["loops"]["window_open"] = true;  // otherwise gradients are not read
    const CheckpointReader file(good);
    for (const char* kept : {"generators.cpu", "state_dict.w"})
      if (std::string(kept) != name) out.put(kept, file.tensor(kept));
    out.put(name, at::ones({7}));
    out.write(bad);
    INFO(name);
    CHECK_THAT(load(run, bad), ContainsSubstring(bad));
  }
}
