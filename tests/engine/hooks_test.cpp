// The full ordered list of calls of a run, with epoch and step, compared with lists recorded from Lightning 2.x for the
// same configuration (golden/hooks; the first line is the command).
#include <algorithm>
#include <set>

#include "core/base/text.hpp"
#include "host_process/sandbox.hpp"

namespace hooks_test {
namespace fs = std::filesystem;
namespace {

struct Golden {
  std::string command;
  std::vector<std::string> calls;
  bool fails = false;
};

Golden read_golden(const fs::path& file) {
  Golden golden;
  std::ifstream in(file);
  std::getline(in, golden.command);
  for (std::string line; std::getline(in, line);) golden.calls.push_back(line);
  // Lightning does not call teardown after a failure; Levin always does.
  if (starting(golden.calls, "cb.on_exception").empty()) return golden;
  for (const char* line : {"dm.teardown", "cb.teardown", "lm.teardown"}) golden.calls.push_back(line);
  golden.fails = true;
  return golden;
}

std::string call_of(const std::string& line) { return line.substr(0, line.find(' ')); }
std::string hook_of(const std::string& line) {
  const std::string call = call_of(line);
  return call.substr(call.find('.') + 1);
}

// Returns true if Lightning's list does not have the call, and its hook is one of these.
bool ours_only(const std::string& line, const std::set<std::string>& known) {
  static const std::set<std::string> optional = {"on_validation_model_train",
                                                 "on_validation_model_zero_grad",
                                                 "on_test_model_train",
                                                 "configure_model",
                                                 "on_checkpoint_durable",
                                                 "destroy",
                                                 "on_sanity_check_start",
                                                 "on_sanity_check_end",
                                                 "on_exception",
                                                 "on_epoch_start",
                                                 "on_epoch_end",
                                                 "on_pretrain_routine_start",
                                                 "on_pretrain_routine_end",
                                                 "on_batch_start",
                                                 "on_batch_end",
                                                 "on_load_checkpoint"};
  return optional.count(hook_of(line)) && !known.count(call_of(line));
}

// Lightning's data module and callbacks were recorded without positions.
std::string comparable(const std::string& line, bool positions) {
  return positions && line.find(' ') != std::string::npos ? line : call_of(line);
}

std::vector<std::string> calls_of(const std::vector<std::string>& trace, const std::set<std::string>& known) {
  std::vector<std::string> out;
  for (const std::string& line : trace)
    if (!ours_only(line, known)) out.push_back(line);
  return out;
}

// A failing fit saves the steps that it has done; Lightning's does not.
std::vector<std::string> without_last_save(std::vector<std::string> calls) {
  const auto failure = std::find_if(calls.begin(), calls.end(), [](const std::string& line) {
    return line.find(".on_exception") != std::string::npos;
  });
  const auto of_save = [](const std::string& line) {
    return line.find(".state_dict") != std::string::npos || line.find(".on_save_checkpoint") != std::string::npos;
  };
  calls.erase(std::remove_if(failure, calls.end(), of_save), calls.end());
  return calls;
}

// Describes the first difference.
std::string difference(const std::vector<std::string>& ours, const std::vector<std::string>& theirs) {
  const size_t n = std::max(ours.size(), theirs.size());
  for (size_t i = 0; i < n; ++i) {
    const std::string a = i < ours.size() ? ours[i] : "(the end)", b = i < theirs.size() ? theirs[i] : "(the end)";
    const bool positions = a.find(' ') != std::string::npos && b.find(' ') != std::string::npos;
    if (comparable(a, positions) == comparable(b, positions)) continue;
    return "call " + std::to_string(i) + ": ours " + a + ", Lightning's " + b + (i ? "; after " + ours[i - 1] : "");
  }
  return "";
}

}  // namespace

TEST_CASE("the calls of a run are Lightning's, in its order, at its epochs and steps") {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(LEVIN_TEST_GOLDEN)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  REQUIRE(files.size() > 20);
  for (const fs::path& file : files) {
    const Golden golden = read_golden(file);
    std::set<std::string> known;
    for (const std::string& line : golden.calls) known.insert(call_of(line));
    const size_t space = golden.command.find(' ');
    const Sandbox sandbox;
    const Outcome outcome = sandbox.bare(golden.command.substr(0, space), golden.command.substr(space));
    INFO(file.stem().string() << "\n" << outcome.err);
    CHECK(outcome.code == (golden.fails ? 1 : 0));
    CHECK(difference(without_last_save(calls_of(outcome.trace, known)), golden.calls) == "");
  }
}

TEST_CASE("--trace-hooks prints the calls of a run in their order") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.bare(
      "fit",
      "--trace-hooks --model plain --callback recorder --max_epochs 1 --limit_train_batches 1 --limit_val_batches 0");
  CHECK(outcome.code == 0);
  size_t at = 0;
  for (const char* line : {"epoch 0 step 0: recorder.on_fit_start\n", "epoch 0 step 0: recorder.on_train_batch_start\n",
                           "epoch 0 step 0: model.training_step\n", "epoch 0 step 1: recorder.on_train_batch_end\n",
                           "epoch 1 step 1: recorder.teardown\n"}) {
    const size_t found = outcome.out.find(line, at);
    CHECK(found != std::string::npos);
    at = found;
  }
}

}  // namespace hooks_test
