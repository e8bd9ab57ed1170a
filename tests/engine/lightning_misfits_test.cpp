// Lightning checkpoints that do not fit the run.
#include <cmath>
#include <functional>

#include "host_process/sandbox.hpp"
#include "tests/weights/forged_lightning.hpp"

namespace lightning_misfits_test {
namespace {

using nlohmann::json;
using F = weights_test::ForgedLightning;

const std::string adam = LEVIN_TEST_LIGHTNING "/adam-step.ckpt";
const std::string state = "optimizer_states/0/state", groups = "optimizer_states/0/param_groups/0";

Outcome fit(const Sandbox& sandbox, const std::string& words, const std::string& path) {
  return sandbox.bare("fit",
                      with_defaults({"--model twin ", "--data.train 12 ", "--data.val [] ", "--data.batch_size 3 ",
                                     "--trainer.max_epochs 3 ", "--callback.model_checkpoint.monitor '' ",
                                     R"(--model.init_map '{"net.": ""}' )", "--model.scheduler step ",
                                     R"(--model.scheduler_options '{"step_size": 1, "gamma": 0.5}' )"},
                                    words + " --ckpt_path " + path));
}

struct Case {
  std::function<void(F&)> forge;
  const char* message;
};
const Case cases[] = {
    {[](F& f) { f.at("optimizer_states") = json::array(); }, "the states of 0 optimizers, and the run has 1"},
    {[](F& f) { f.at(groups + "/lr") = std::nan(""); }, "its option lr is"},
    {[](F& f) {
       f.at(groups + "/betas") = {0.9, 1.5};
     },
     "its option betas is [0.9,1.5]"},
    {[](F& f) { f.at(groups + "/momentum_decay") = 0.004; }, "the option momentum_decay, which 'adam' has not"},
    {[](F& f) { f.tensors[state + "/0/exp_avg"] = f.tensors[state + "/1/exp_avg"]; },
     "0.first.weight.exp_avg' has the shape [4], and its parameter has [4, 4]"},
    {[](F& f) { f.put(state + "/0/exp_avg_sq", nullptr); }, "0.first.weight.exp_avg_sq' is missing"},
    {[](F& f) { f.at("lr_schedulers") = json::array(); }, "it has 0 learning-rate schedules, and the run has 1"},
    {[](F& f) { f.at("loops/fit_loop/epoch_loop.batch_loop.state_dict") = 1; }, "upgrade_checkpoint"},
    {[](F& f) { f.at("optimizer_states") = 3; }, "has no optimizer_states"},
};

}  // namespace

TEST_CASE("what does not fit is refused with its place, and how the weights alone are used") {
  const Sandbox sandbox;
  const std::string path = (sandbox.folder() / "forged.ckpt").string();
  for (const Case& c : cases) {
    F forged(adam);
    c.forge(forged);
    forged.write(path);
    const Outcome outcome = fit(sandbox, "", path);
    CHECK(outcome.code == 5);
    const bool is_part = std::string(c.message) == "has no optimizer_states";
    CHECK(outcome.error_code() == (is_part ? "E0504" : "E0510"));
    CHECK_THAT(outcome.error(),
               ContainsSubstring(c.message) && ContainsSubstring(path) && ContainsSubstring("--model.init_from"));
  }
}

TEST_CASE("a run with other optimizers or schedules, or in its own folder, does not take the file") {
  const Sandbox sandbox;
  struct Words {
    std::string words;
    int code;
    const char* message;
  };
  const Words all[] = {
      {"--model.optimizer adamw", 5, "it is Adam's, and the run's is AdamW"},
      {"--model.optimizer lbfgs --model.scheduler ''", 5, "the state of 'lbfgs' is not Python's"},
      {"--model.two_groups true", 5, "it has 1 parameter groups, and here there are 2"},
      {"--model.init_map {}", 5, R"(--model.init_map '{"net.":""}' would match more)"},
      {R"(--strict_resume --model.scheduler_options '{"step_size": 3, "gamma": 0.5}')", 2, "step_size is 3 and was 1"},
  };
  for (const Words& w : all) {
    const Outcome outcome = fit(sandbox, w.words, adam);
    CHECK(outcome.code == w.code);
    CHECK_THAT(outcome.error(), ContainsSubstring(w.message));
  }
}

TEST_CASE("a run goes on in its own folder from its own checkpoints only") {
  const Sandbox sandbox;
  REQUIRE(fit(sandbox, "", adam).code == 0);
  const Outcome other = sandbox.host("resume " + sandbox.run(0).string() + " --ckpt_path " + adam);
  CHECK(other.code == 2);
  const Outcome own = sandbox.host("resume " + sandbox.run(0).string() + " --max_epochs 4");
  CHECK(own.code == 0);
  CHECK_THAT(own.err, ContainsSubstring("resumes from " + sandbox.run(0).string()) && !ContainsSubstring("Lightning"));
}

}  // namespace lightning_misfits_test
