// Fits and evaluations that start with the weights of a file.
#include "host_process/sandbox.hpp"

namespace init_from_test {
namespace {

const std::string set_up = "--model plain --model.log true --trainer.enable_progress_bar false --trainer.max_epochs 1 ";

// The weight file of a finished fit.
std::string trained(const Sandbox& sandbox) {
  REQUIRE(sandbox.bare("fit", set_up).code == 0);
  const auto folder = sandbox.run(0) / "checkpoints";
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".ckpt") return entry.path().string();
  FAIL("no checkpoint");
  return "";
}

// Returns the last line of an evaluation, without its time.
std::string results(const Outcome& outcome) {
  const size_t at = outcome.err.find("validated in "), comma = outcome.err.find(", ", at);
  REQUIRE(at != std::string::npos);
  return outcome.err.substr(comma, outcome.err.find('\n', comma) - comma);
}

}  // namespace

TEST_CASE("the weights of a file are those that the model has") {
  const Sandbox sandbox;
  const std::string file = trained(sandbox);
  const Outcome from = sandbox.bare("validate", set_up + "--model.init_from " + file);
  REQUIRE(from.code == 0);
  CHECK_THAT(from.err, ContainsSubstring("model.init_from: " + file + " (a checkpoint) gives ") &&
                           !ContainsSubstring("the weights are not trained"));
  CHECK(results(from) == results(sandbox.bare("validate", set_up + "--ckpt_path " + file)));
  CHECK(results(from) != results(sandbox.bare("validate", set_up)));
  const Outcome fit = sandbox.bare("fit", set_up + "--init_from " + file);
  CHECK(fit.code == 0);
  CHECK_THAT(fit.err, ContainsSubstring("gives "));
}

TEST_CASE("a resume does not read the file again, which may be gone") {
  const Sandbox sandbox;
  const std::string file = trained(sandbox), copy = (sandbox.folder() / "weights.ckpt").string();
  std::filesystem::copy(file, copy);
  REQUIRE(sandbox.bare("fit", set_up + "--model.init_from " + copy).code == 0);
  std::filesystem::remove(copy);
  const Outcome resumed = sandbox.host("resume " + sandbox.run(1).string() + " --max_epochs 2");
  CHECK(resumed.code == 0);
  CHECK_THAT(resumed.err, !ContainsSubstring("model.init_from"));
  const Outcome again = sandbox.host("fit --config " + (sandbox.run(1) / "config.json").string());
  CHECK(again.code == 5);
  CHECK_THAT(again.error(), ContainsSubstring(copy + ": no such file"));
}

TEST_CASE("weights that do not fit are told with what would help, and change nothing") {
  const Sandbox sandbox;
  const std::string python = LEVIN_TEST_WEIGHTS "/state_dict-1.13.pt";
  struct Case {
    std::string words;
    int code;
    std::string message;
  };
  const Case cases[] = {
      {"fit --model.init_from " + python, 5, "(a state_dict of PyTorch) gives 0 of the model's"},
      {"fit --model.init_from " + python + " --model.init_match fitting", 5, "not in the model: conv.bias"},
      {"fit --model.init_from " LEVIN_TEST_WEIGHTS "/sparse-1.13.pt --model.init_map '{\"other\": \"in.weight\"}'", 5,
       "tensor 'other': it is sparse; save its to_dense()"},
      {"fit --model.init_from " LEVIN_TEST_WEIGHTS "/complex-1.13.pt --model.init_match fitting --model.init_map "
       "'{\"other\": \"out.bias\"}'",
       5, "weights of element type C64 are not loaded; loaded are F32, F64"},
      {"fit --model.init_from /no/such.pt", 5, "there is no file '/no/such.pt'"},
      {"fit --model.init_from " + python + " --model.init_map 3", 2, "not a map of name prefixes"},
      {"fit --model.init_match most", 2, "init_match"},
      {"fit --ckpt_path " + python, 5, "start a fit from its weights with --model.init_from FILE"},
      {"test --ckpt_path " + python, 5, "--ckpt_path: " + python + " (a state_dict of PyTorch) gives 0"},
  };
  for (const Case& c : cases) {
    const size_t space = c.words.find(' ');
    const Outcome outcome = sandbox.bare(c.words.substr(0, space), set_up + c.words.substr(space));
    CHECK(outcome.code == c.code);
    CHECK_THAT(outcome.error(), ContainsSubstring(c.message));
    if (c.message.find("gives 0") != std::string::npos) CHECK(outcome.error_code() == "E0509");
  }
}

}  // namespace init_from_test
