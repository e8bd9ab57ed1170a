// The contents of Lightning checkpoints beside the weights: as written by Lightning, and forged.
#include <cmath>
#include <cstdlib>
#include <functional>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/weights/zip_archive.hpp"
#include "lightning/file/lightning_checkpoint.hpp"
#include "lightning/file/python_optimizer.hpp"
#include "lightning/file/state_conversions.hpp"
#include "tests/weights/files.hpp"
#include "tests/weights/forged_lightning.hpp"

using namespace levin::core;
using nlohmann::json;
using weights_test::ForgedLightning;

namespace {

const std::string adam = LEVIN_TEST_LIGHTNING "/adam-step.ckpt";
const std::string state = "optimizer_states/0/state", groups = "optimizer_states/0/param_groups/0";
const double not_a_number = std::nan("");

json step_schedule() {
  return {{"scheduler", "step"}, {"last_epoch", 0}, {"base_lrs", {0.1}}, {"last_lr", {0.1}}, {"paused", false}};
}

// Reads everything.
void read_all(const std::string& path) {
  const LightningCheckpoint file(path);
  optimizer_states(file);
  const json loops = file.part("loops").values, schedules = file.part("lr_schedulers").values;
  loops_of_lightning(loops.value("fit_loop", json()));
  for (const json& schedule : schedules) schedule_of_python(step_schedule(), schedule);
}

std::string refusal(const std::string& path) {
  try {
    read_all(path);
    return "";
  } catch (const std::runtime_error& e) {
    return e.what();
  }
}

struct Case {
  std::function<void(ForgedLightning&)> forge;
  const char* message;
};
using F = ForgedLightning;
const Case cases[] = {
    {[](F&) {}, ""},
    {[](F& f) { f.at("optimizer_states/0") = 3; }, "optimizer_states/0 is no state of an optimizer"},
    {[](F& f) { f.at(groups + "/params").push_back(0); }, "which is not a number of a parameter or is there twice"},
    {[](F& f) { f.at(groups + "/params")[0] = -1; }, "has -1, which is not a number of a parameter"},
    {[](F& f) { f.at(groups + "/params")[0] = "fc"; }, "which is not a number of a parameter"},
    {[](F& f) { f.at(groups + "/params").erase(0); }, "is the state of a parameter that no group has"},
    {[](F& f) { f.at("optimizer_states/0/param_groups").push_back(f.at(groups)); }, "is there twice"},
    {[](F& f) { f.at(groups + "/param_names") = {"a"}; }, "param_names are not those of params"},
    {[](F& f) { f.put(state + "/0/step", -3); }, "which is not a count of steps"},
    {[](F& f) { f.put(state + "/0/step", 1.5); }, "which is not a count of steps"},
    {[](F& f) { f.put(state + "/0/step", not_a_number); }, "which is not a count of steps"},
    {[](F& f) { f.put(state + "/0/step", 1e300); }, "which is not a count of steps"},
    {[](F& f) { f.tensors[state + "/0/step"] = f.tensors[state + "/0/exp_avg"]; }, "is a tensor and not a number"},
    {[](F& f) { f.put(state + "/0/exp_avg", 3); }, "is 3, and no tensor"},
    {[](F& f) { f.at("lr_schedulers/0") = json::array(); }, "its state is no dict"},
    {[](F& f) { f.at("lr_schedulers/0/T_max") = 3; }, "has gamma, step_size; the file's has T_max, gamma, step_size"},
    {[](F& f) { f.at("lr_schedulers/0/last_epoch") = -2; }, "last_epoch is -2, which is not a count"},
    {[](F& f) {
       f.at("lr_schedulers/0/base_lrs") = {0.1, 0.1};
     },
     "and there are 1 parameter groups"},
    {[](F& f) { f.at("lr_schedulers/0/_last_lr") = {not_a_number}; }, "which is not a number"},
    {[](F& f) { f.values.erase("loops"); }, "has no loops"},
    {[](F& f) { f.at("loops/fit_loop") = json::array(); }, "loops/fit_loop: it is no dict"},
    {[](F& f) { f.at("loops/fit_loop").erase("epoch_progress"); }, "it has no epoch_progress"},
    {[](F& f) { f.at("loops/fit_loop/epoch_progress/total/ready") = -1; }, "total.ready is -1, which is not a count"},
    {[](F& f) { f.at("loops/fit_loop/epoch_progress/total") = 7; }, "epoch_progress has no total.ready"},
    {[](F& f) { f.values.erase("optimizer_states"); }, "has no optimizer_states, as it was saved with weights only"},
    {[](F& f) { f.at("optimizer_states") = json::object(); }, "has no optimizer_states"},
    {[](F& f) { f.values.erase("pytorch-lightning_version"); }, "holds weights only, so a fit cannot resume from it"},
};

}  // namespace

TEST_CASE("the parts of a checkpoint of Lightning are what it wrote, or are refused with their place") {
  const TempFolder folder;
  for (const Case& c : cases) {
    ForgedLightning forged(adam);
    c.forge(forged);
    const std::string path = folder.write("x.ckpt", "");
    forged.write(path);
    INFO(c.message);
    if (*c.message == '\0')
      CHECK(refusal(path).empty());
    else
      CHECK_THAT(refusal(path), ContainsSubstring(c.message));
  }
}

TEST_CASE("Adam's numbers, steps and moments are read") {
  const LightningCheckpoint file(adam);
  const auto states = optimizer_states(file);
  REQUIRE(states.size() == 1);
  CHECK(states[0].groups[0].params == std::vector<int64_t>{0, 1, 2, 3, 4, 5});
  CHECK(states[0].groups[0].options.at("lr") == 0.0125);
  CHECK(states[0].params.at(0).steps == 8);
  CHECK(states[0].params.at(0).slots.at("exp_avg").shape == std::vector<uint64_t>{4, 4});
  CHECK(file.callback_names() == std::vector<std::string>{"ModelCheckpoint"});
  CHECK(file.hyper_parameters() == json({{"case", "adam-step"}, {"lr", 0.05}}));
}

TEST_CASE("counters of loops come back from Lightning's as they went") {
  const json fit = LightningCheckpoint(adam).part("loops").values.at("fit_loop"), ours = loops_of_lightning(fit);
  CHECK(ours.at("global_step") == 8);
  CHECK(loops_of_lightning(loops_for_lightning(ours)) == ours);
}

TEST_CASE("values that contain themselves, and lists that double with every level, are refused") {
  const TempFolder folder;
  const auto archive = [&](const std::string& value) {
    const std::string pickle =
        "\x80\x02}Vpytorch-lightning_version\nV2.6.6\nsVlr_schedulers\n]sVoptimizer_states\n" + value + "s.";
    const std::string path = folder.write("x.ckpt", "");
    const auto member = [](const std::string& name, const std::string& text) {
      return ZipMember{name, text.size(), [text](const auto& write) { write(text.data(), text.size()); }};
    };
    write_zip(path, {member("archive/data.pkl", pickle), member("archive/version", "3\n")});
    return path;
  };
  std::string doubling = std::string(25, '(') + "]";
  for (int i = 0; i < 25; ++i) doubling += "2l";
  CHECK_THAT(refusal(archive("]p1\ng1\na")), ContainsSubstring("nested too deeply, or in a circle"));
  CHECK_THAT(refusal(archive(doubling)), ContainsSubstring("more values than a checkpoint can have"));
}

TEST_CASE("changed bytes of a checkpoint's values lead to values or a clean refusal") {
  const TempFolder folder;
  const FileBytes bytes(adam);
  const ZipArchive zip(bytes);
  std::vector<ZipMember> members;
  std::string pickle;
  const std::string* changed = &pickle;
  for (const auto& [name, member] : zip.members()) {
    const std::string content(zip.content(name));
    const bool is_pickle = name.find("/data.pkl") != std::string::npos;
    if (is_pickle) pickle = content;
    members.push_back({name, member.bytes, [=](const auto& write) {
                         const std::string& text = is_pickle ? *changed : content;
                         write(text.data(), text.size());
                       }});
  }
  const std::string whole = pickle, path = folder.write("x.ckpt", "");
  size_t refused = 0;
  for (size_t i = 0; i < whole.size(); i += std::getenv("LEVIN_FUZZ_ROUNDS") ? 1 : 41) {
    pickle = whole;
    pickle[i] = static_cast<char>(pickle[i] ^ (1 << i % 8));
    write_zip(path, members);
    if (!refusal(path).empty()) ++refused;
  }
  CHECK(refused > 10);
}
