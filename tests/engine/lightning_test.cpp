// Fits resumed from Lightning checkpoints end with the same weights as Lightning's own.
#include <algorithm>
#include <cmath>

#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/weights/state_dict_file.hpp"
#include "host_process/sandbox.hpp"

namespace lightning_test {
namespace {

const std::string golden = LEVIN_TEST_LIGHTNING;
const std::string set_up =
    "--model twin --data.train 12 --data.val [] --data.batch_size 3 --data.shuffle false "
    "--callback.model_checkpoint.monitor '' --callback.model_checkpoint.save_last true ";
const std::string own_names = "--model.init_map '{\"net.\": \"\"}' ";

struct Case {
  const char *name, *words, *place;
};
const Case cases[] = {
    {"adam-step", "--model.scheduler step --model.scheduler_options '{\"step_size\": 1, \"gamma\": 0.5}'",
     "epoch 2, step 8"},
    {"adamw-cosine-mid",
     "--model.optimizer adamw --model.optimizer_options '{\"lr\": 1, \"amsgrad\": true}' --model.scheduler "
     "cosine_annealing --model.scheduler_options '{\"T_max\": 20}' --model.interval step",
     "epoch 1, step 6"},
    {"sgd-groups",
     "--model.two_groups true --model.optimizer sgd --model.optimizer_options '{\"lr\": 0.05, \"momentum\": 0.9, "
     "\"nesterov\": true}' --model.scheduler multi_step --model.scheduler_options '{\"milestones\": [1, 3], \"gamma\": "
     "0.3}'",
     "epoch 2, step 8"},
    {"rmsprop-one-cycle",
     "--model.optimizer rmsprop --model.optimizer_options '{\"lr\": 0.01, \"momentum\": 0.5, \"centered\": true}' "
     "--model.scheduler one_cycle --model.scheduler_options '{\"max_lr\": 0.05, \"total_steps\": 17}' --model.interval "
     "step",
     "epoch 2, step 8"},
    {"adagrad-plateau",
     "--model.optimizer adagrad --model.optimizer_options '{\"lr\": 0.05, \"lr_decay\": 0.1}' --model.scheduler "
     "reduce_on_plateau --model.scheduler_options '{\"patience\": 0, \"threshold\": 10.0, \"threshold_mode\": "
     "\"abs\"}'",
     "epoch 2, step 8"},
    {"sgd-sequential",
     "--model.optimizer sgd --model.optimizer_options '{\"lr\": 0.05}' --model.interval step --model.scheduler "
     "sequential "
     "--model.scheduler_options '{\"schedulers\": [{\"name\": \"linear\", \"start_factor\": 0.5, \"total_iters\": 3}, "
     "{\"name\": \"exponential\", \"gamma\": 0.8}], \"milestones\": [3]}'",
     "epoch 2, step 8"},
    {"adam-named", "", "epoch 2, step 8"},
    {"adam-frozen", "--model.frozen true", "epoch 2, step 8"},
    {"adam-restarts-mid",
     "--model.interval step --model.scheduler cosine_annealing_warm_restarts --model.scheduler_options '{\"T_0\": 3, "
     "\"T_mult\": 2}'",
     "epoch 1, step 7"},
    {"nadam",
     "--model.optimizer nadam --model.optimizer_options '{\"decoupled_weight_decay\": true, \"weight_decay\": 0.1}'",
     "epoch 2, step 8"},
    {"radam", "--model.optimizer radam", "epoch 2, step 8"},
    {"adamax", "--model.optimizer adamax", "epoch 2, step 8"},
    {"adadelta", "--model.optimizer adadelta", "epoch 2, step 8"},
    {"asgd", "--model.optimizer asgd", "epoch 2, step 8"},
    {"rprop", "--model.optimizer rprop", "epoch 2, step 8"},
};

std::string file_of(const std::string& name) { return golden + "/" + name + ".ckpt"; }

// Returns the largest difference between two weights.
double difference(const std::string& path, const nlohmann::json& expected) {
  const levin::core::StateDictFile file(path);
  double largest = 0;
  for (const auto& [name, values] : expected.items()) {
    const levin::core::StoredTensor tensor = file.tensor(name);
    for (size_t i = 0; i < values.size(); ++i) {
      const double value = tensor.dtype == "I64" ? static_cast<double>(reinterpret_cast<const int64_t*>(tensor.data)[i])
                                                 : reinterpret_cast<const float*>(tensor.data)[i];
      largest = std::max(largest, std::abs(value - values[i].get<double>()));
    }
  }
  return largest;
}

std::string last_of(const Sandbox& sandbox, int run) {
  return (sandbox.run(run) / "checkpoints" / "last.ckpt").string();
}

std::string bytes(const levin::core::StateDictFile& file, const std::string& name) {
  const levin::core::StoredTensor tensor = file.tensor(name);
  return std::string(tensor.data, tensor.bytes);
}

Outcome fit(const Sandbox& sandbox, const std::string& name, const std::string& words) {
  return sandbox.bare("fit", set_up + own_names + words + " --trainer.max_epochs 4 --ckpt_path " + file_of(name));
}

}  // namespace

TEST_CASE("a fit goes on from a checkpoint of Lightning as Lightning does") {
  const nlohmann::json expected =
      levin::core::parse_json(levin::core::read_file(golden + "/expected.json"), "expected");
  for (const Case& c : cases) {
    const Sandbox sandbox;
    const Outcome outcome = fit(sandbox, c.name, c.words);
    INFO(c.name << "\n" << outcome.err);
    REQUIRE(outcome.code == 0);
    CHECK_THAT(outcome.err, ContainsSubstring("resumes from " + file_of(c.name) + " (" + c.place));
    CHECK(difference(last_of(sandbox, 0), expected.at(c.name)) <
          5e-6);  // Adam amplifies the rounding error of a gradient near zero
  }
}

TEST_CASE("gradients of a window that was open when Lightning saved are said to be missing") {
  const Case& middle = cases[1];  // after 2 of 4 batches
  for (const char* window : {"2", "3"}) {
    const Sandbox sandbox;
    const Outcome outcome =
        fit(sandbox, middle.name, std::string(middle.words) + " --trainer.accumulate_grad_batches " + window);
    CHECK(outcome.code == 0);
    const std::string told =
        "those of 2 batches are missing in the next optimizer step (trainer.accumulate_grad_batches 3)";
    CHECK((outcome.err.find(told) != std::string::npos) == (std::string(window) == "3"));
  }
}

TEST_CASE("an exported checkpoint goes on as the run's own does") {
  for (const char* optimizer : {"adam", "sgd", "nadam", "asgd", "rprop", "lion"}) {
    const Sandbox sandbox;
    const std::string words = std::string("--model.two_groups true --model.optimizer ") + optimizer +
                              " --model.scheduler step --model.scheduler_options '{\"step_size\": 2}' " + set_up;
    REQUIRE(sandbox.bare("fit", words + "--trainer.max_epochs 2").code == 0);
    const std::string own = last_of(sandbox, 0);
    const Outcome exported = sandbox.host("export " + own + " -o x.ckpt");
    REQUIRE(exported.code == 0);
    REQUIRE(sandbox.bare("fit", words + "--trainer.max_epochs 4 --ckpt_path " + own).code == 0);
    const Outcome outcome = sandbox.bare("fit", words + "--trainer.max_epochs 4 --ckpt_path x.ckpt");
    REQUIRE(outcome.code == 0);
    const levin::core::StateDictFile a(last_of(sandbox, 1)), b(last_of(sandbox, 2));
    for (const std::string& name : a.names()) CHECK(bytes(a, name) == bytes(b, name));
  }
}

TEST_CASE("a tied parameter is trained once, and is there under both names") {
  const Sandbox sandbox;
  REQUIRE(sandbox.bare("fit", set_up + "--trainer.max_epochs 2").code == 0);
  const Outcome outcome = sandbox.bare("fit", set_up + "--trainer.max_epochs 2 --model.tied true");
  REQUIRE(outcome.code == 0);
  const levin::core::StateDictFile plain(last_of(sandbox, 0)), tied(last_of(sandbox, 1));
  CHECK(bytes(tied, "first.weight") == bytes(plain, "first.weight"));
  CHECK(bytes(tied, "again.weight") == bytes(plain, "first.weight"));
  // Safetensors files often have only one of the names of a tied tensor.
  const std::string from = " --trainer.max_epochs 1 --model.tied true --model.init_from " + last_of(sandbox, 0);
  CHECK(sandbox.bare("fit", set_up + from).code == 0);
}

}  // namespace lightning_test
