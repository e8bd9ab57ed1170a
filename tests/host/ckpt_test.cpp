// host ckpt: shows, verifies, compares, averages and prunes checkpoints without LibTorch.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>

#include "catch.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"
#include "core/checkpoint/container/safetensors_writer.hpp"
#include "tests/host/installation.hpp"

using namespace levin::core;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// A checkpoint with two weights, a counter and the state of an optimizer.
void write_ckpt(const fs::path& path, float weight, int64_t step, const std::string& lr = "0.1") {
  fs::create_directories(path.parent_path());
  const float w[3] = {weight, 2 * weight, 1}, momentum[3] = {};
  const uint16_t half[2] = {0x3c00, 0x4000}, brain[2] = {0x3f80, static_cast<uint16_t>(0x3f80 + (step << 4))};
  SafetensorsContent content;
  content.tensors = {{"state_dict.fc.weight", "F32", {3}, w, sizeof w},
                     {"state_dict.fc.half", "F16", {2}, half, sizeof half},
                     {"state_dict.fc.brain", "BF16", {2}, brain, sizeof brain},
                     {"state_dict.seen", "I64", {}, &step, sizeof step},
                     {"data.names", "U8", {2}, "ab", 2},
                     {"optimizer_states.0.0.fc.weight.momentum_buffer", "F32", {3}, momentum, sizeof momentum}};
  content.manifest = {{"levin_version", "0.1.0"},
                      {"epoch", 1},
                      {"global_step", step},
                      {"weights_only", false},
                      {"bytes", {"data.names", "callbacks.c.x"}},
                      {"components", {{"data", {{"component", "toy_rows"}}}, {"callbacks.c", {{"component", "c"}}}}},
                      {"config", {{"model", {{"component", "toy_net"}, {"options", {{"lr", lr}}}}}}},
                      {"optimizer_states", json::array({json::object()})}};
  write_safetensors(path.string(), content);
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".ckpt") names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST_CASE("ckpt show prints tensors as a tree, with sizes and where the file comes from") {
  const Installation installation;
  write_ckpt(installation.folder() / "a.ckpt", 1, 7);
  const Answer table = installation.host("ckpt show a.ckpt");
  CHECK(table.code == 0);
  for (const char* part : {"global step  7", "model        toy_net", "state_dict", "    weight", "F32   [3]", "12 B",
                           "0.0.fc.weight.momentum_buffer", "6 tensors, 42 B", "weights and the state of the run"})
    CHECK_THAT(table.out, ContainsSubstring(part));
  const json answer = json::parse(installation.host("ckpt show a.ckpt --json").out);
  CHECK(answer.at("tensors").at("state_dict.fc.weight") == json{{"dtype", "F32"}, {"shape", {3}}, {"bytes", 12}});
  CHECK(answer.at("manifest").at("epoch") == 1);
}

TEST_CASE("ckpt verify finds the damaged file and ends with 5") {
  const Installation installation;
  const fs::path run = installation.folder() / "run";
  write_ckpt(run / "checkpoints" / "a.ckpt", 1, 1);
  write_ckpt(run / "checkpoints" / "b.ckpt", 1, 2);
  CHECK(installation.host("ckpt verify run").code == 0);
  std::string bytes = read_file(run / "checkpoints" / "a.ckpt");
  bytes[bytes.size() - 70] ^= 1;
  installation.write("run/checkpoints/a.ckpt", bytes);
  fs::create_symlink("loop.ckpt", run / "checkpoints" / "loop.ckpt");
  fs::create_symlink("nowhere", run / "checkpoints" / "dangling.ckpt");
  const Answer answer = installation.host("ckpt verify run");
  CHECK(answer.code == 5);
  CHECK_THAT(answer.out, ContainsSubstring("b.ckpt: intact") && ContainsSubstring("a.ckpt: damaged"));
  CHECK_THAT(answer.error(), ContainsSubstring("1 of 2 files are damaged"));
  const Answer absent = installation.host("ckpt verify none.ckpt");
  CHECK(absent.code == 5);
  CHECK_THAT(absent.error(), ContainsSubstring("E0501") && ContainsSubstring("1 of 1 files cannot be read"));
  CHECK_THAT(installation.host("ckpt show run").out, ContainsSubstring("run/checkpoints/b.ckpt"));
}

TEST_CASE("ckpt diff names the tensors that differ, the most first, and the options") {
  const Installation installation;
  write_ckpt(installation.folder() / "a.ckpt", 1, 7);
  write_ckpt(installation.folder() / "b.ckpt", 1.5, 9, "0.2");
  const Answer answer = installation.host("ckpt diff a.ckpt b.ckpt");
  CHECK(answer.code == 0);
  CHECK_THAT(answer.out, ContainsSubstring("3 tensors are the same, 3 differ") &&
                             ContainsSubstring("state_dict.fc.weight: largest difference 1, mean 0.5, in 2 of 3") &&
                             ContainsSubstring("config.model.options.lr: '0.1' and '0.2'") &&
                             ContainsSubstring("global_step: 7 and 9"));
  CHECK(answer.out.find("state_dict.seen") < answer.out.find("state_dict.fc.weight"));
  const json document = json::parse(installation.host("ckpt diff a.ckpt b.ckpt --json").out);
  CHECK(document.at("same") == 3);
  CHECK(document.at("tensors")[0].at("largest") == 2.0);
  CHECK(document.at("manifest").at("/global_step") == json{{"first", 7}, {"second", 9}});
}

TEST_CASE("ckpt average writes the mean of the weights, and the last counter, as a checkpoint of weights") {
  const Installation installation;
  for (int i = 0; i < 3; ++i)
    write_ckpt(installation.folder() / (std::string(1, static_cast<char>('a' + i)) + ".ckpt"), 1.0f + float(i), i);
  const std::string words = "ckpt average a.ckpt b.ckpt c.ckpt";
  CHECK_THAT(installation.host(words).error(), ContainsSubstring("--output FILE"));
  const Answer answer = installation.host(words + " --output mean.ckpt");
  REQUIRE(answer.code == 0);
  const SafetensorsReader mean((installation.folder() / "mean.ckpt").string());
  mean.verify();
  CHECK(mean.names().size() == 5);
  CHECK(std::string(static_cast<const char*>(mean.tensor("data.names").data), 2) == "ab");
  CHECK(mean.manifest().at("bytes") == json{"data.names"});
  CHECK(mean.manifest().at("components") == json{{"data", {{"component", "toy_rows"}}}});
  const auto* weight = static_cast<const float*>(mean.tensor("state_dict.fc.weight").data);
  CHECK(weight[0] == 2.0f);
  CHECK(weight[1] == 4.0f);
  const auto* half = static_cast<const uint16_t*>(mean.tensor("state_dict.fc.half").data);
  CHECK(half[1] == 0x4000);
  const auto* brain = static_cast<const uint16_t*>(mean.tensor("state_dict.fc.brain").data);
  CHECK(brain[1] == 0x3f90);
  CHECK(*static_cast<const int64_t*>(mean.tensor("state_dict.seen").data) == 2);
  CHECK(mean.manifest().at("weights_only") == true);
  CHECK(mean.manifest().at("average_of") == json{"a.ckpt", "b.ckpt", "c.ckpt"});
  CHECK(installation.host(words + " --output mean.ckpt").code == 2);
  CHECK(installation.host(words + " --output mean.ckpt --force").code == 0);
}

TEST_CASE("ckpt prune keeps the best, the last, the newest that is whole and what is asked for") {
  const Installation installation;
  const fs::path run = installation.folder() / "run", folder = run / "checkpoints";
  for (const char* name : {"a", "b", "c", "d", "e"})
    write_ckpt(folder / (std::string(name) + ".ckpt"), 1, name[0] - 'a');
  write_ckpt(run / "elsewhere.ckpt", 1, 99);
  installation.write("run/checkpoints/index.json",
                     R"({"best": {"path": "checkpoints/a.ckpt"}, "last": {"path": "checkpoints/d.ckpt"}})");
  installation.write("run/checkpoints/e.ckpt", "no checkpoint");
  const Answer plan = installation.host("ckpt prune run --dry_run");
  CHECK(plan.code == 0);
  CHECK_THAT(plan.out, ContainsSubstring("would remove run/checkpoints/b.ckpt") && ContainsSubstring("a.ckpt (best)") &&
                           ContainsSubstring("d.ckpt (last, newest)") && ContainsSubstring("nothing was removed"));
  CHECK(names_in(folder).size() == 5);
  {
    const int lock = ::open((run / ".lock").c_str(), O_RDWR | O_CREAT, 0666);
    REQUIRE(::flock(lock, LOCK_EX) == 0);
    CHECK_THAT(installation.host("ckpt prune run").error(), ContainsSubstring("a run is using this folder"));
    ::close(lock);
  }
  const auto planned = levin::core::parse_json(installation.host("ckpt prune run --dry_run --json").out, "prune");
  CHECK(planned.at("dry_run") == true);
  CHECK(planned.at("removed") == 0);
  CHECK(planned.at("files").size() == 5);
  CHECK(installation.host("ckpt prune run").code == 0);
  CHECK(names_in(folder) == std::vector<std::string>{"a.ckpt", "d.ckpt"});
  CHECK(fs::exists(run / "elsewhere.ckpt"));
}

TEST_CASE("ckpt refuses other words, and files that are none") {
  const Installation installation;
  installation.write("text", "hello");
  struct Mistake {
    const char *words, *answer;
    int code;
  };
  const Mistake mistakes[] = {{"ckpt", "show, verify, diff, average, prune", 2},
                              {"ckpt sho x", "did you mean 'show'?", 2},
                              {"ckpt diff text", "too few files", 2},
                              {"ckpt show text --jsn", "did you mean --json?", 2},
                              {"ckpt prune x --keep many", "--keep takes a count", 2},
                              {"ckpt prune .", "is not a run folder", 2},
                              {"ckpt show nothing", "nothing", 5},
                              {"ckpt show text", "text", 5}};
  for (const Mistake& mistake : mistakes) {
    const Answer answer = installation.host(mistake.words);
    CHECK(answer.code == mistake.code);
    CHECK_THAT(answer.error(), ContainsSubstring(mistake.answer));
  }
}
