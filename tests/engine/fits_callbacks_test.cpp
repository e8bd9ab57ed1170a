// Callbacks that change the training, in fits of one and of several processes, and in fits that are resumed.
#include <cmath>

#include "core/base/text.hpp"
#include "fits.hpp"

namespace fits_callbacks_test {
namespace {

const std::string set_up =
    "--model.dropout 0.3 --model.optimizer adamw --data.shuffle true --data.train 20 --data.val [4] --logger csv "
    "--trainer.log_every_n_steps 2 --trainer.max_epochs 3 --trainer.num_sanity_val_steps 0 ";
const std::string every_epoch =
    "--callback.model_checkpoint.every_n_epochs 1 --callback.model_checkpoint.save_top_k -1 ";

Weights after_epoch(const Sandbox& box, int version, int epoch) {
  for (const auto& entry : std::filesystem::directory_iterator(box.run(version) / "checkpoints")) {
    const std::string name = entry.path().filename().string();
    if (levin::core::starts_with(name, "epoch=" + std::to_string(epoch) + "-"))
      return weights_in(entry.path().string());
  }
  return {};
}

// Returns the part of the numbers that are 0.
double zeros(const std::vector<float>& values) {
  return static_cast<double>(std::count(values.begin(), values.end(), 0.0F)) / static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("a fit with these callbacks goes on as if it had not been stopped") {
  const std::string callbacks[] = {
      "learning_rate_warmup --callback.own.num_warmup_steps 12",
      "freeze_schedule --callback.own.freeze '{\"1\":\"out\"}' --callback.own.unfreeze '{\"1\":\"in\"}'",
      "pruning --callback.own.end_epoch 1",
      "pruning --callback.own.structure row --callback.own.scope model",
      "pruning --callback.own.structure column --callback.own.norm 2",
      "gradient_monitor --callback.own.per_parameter true",
      "histogram_monitor --callback.own.every_n_steps 3"};
  for (const std::string& callback : callbacks)
    for (const int processes : {1, 2}) {
      const Sandbox box;
      const std::string words = set_up + "--callback own=" + callback + " ";
      const Outcome whole = fit(box, processes, words);
      INFO(callback << "\n" << whole.err);
      REQUIRE(whole.code == 0);
      REQUIRE(fit(box, processes, words + " --model.do terminate --model.epoch 1 --model.rank 0").code == 75);
      const Outcome rest = box.host("resume " + box.run(1).string() + " --strict_resume");
      INFO(rest.err);
      REQUIRE(rest.code == 0);
      CHECK(difference(last(box, 0), last(box, 1)) == "");
      CHECK(box.read(box.run(0) / "metrics.csv") == box.read(box.run(1) / "metrics.csv"));
    }
}

TEST_CASE("frozen weights do not change, and unfrozen ones do") {
  for (const std::string strategy : {"auto", "dp", "ddp", "zero1"}) {
    const Sandbox box;
    const int processes = strategy == "auto" ? 1 : 2;
    const std::string words =
        set_up + every_epoch + "--trainer.strategy " + strategy + " --callback own=freeze_schedule ";
    const Outcome first = fit(box, processes,
                              words +
                                  "--callback.own.freeze '{\"0\":\"in\",\"1\":\"out\"}' "
                                  "--callback.own.unfreeze '{\"1\":\"in\",\"2\":\"*.bias\"}'");
    INFO(strategy << "\n" << first.err);
    REQUIRE(first.code == 0);
    REQUIRE(fit(box, processes, words + "--callback.own.freeze '{\"0\":\"in\"}' ").code == 0);
    Weights epochs[3], frozen = after_epoch(box, 1, 2);
    for (int epoch = 0; epoch < 3; ++epoch) epochs[epoch] = after_epoch(box, 0, epoch);
    const auto weight = [](Weights& weights, const char* name) {
      return weights.at(std::string("state_dict.") + name);
    };
    CHECK(weight(epochs[0], "in.weight") == weight(frozen, "in.weight"));  // the initial values
    CHECK(weight(epochs[0], "in.bias") == weight(frozen, "in.bias"));
    CHECK(weight(epochs[0], "out.weight") != weight(frozen, "out.weight"));
    CHECK(weight(epochs[1], "in.weight") != weight(epochs[0], "in.weight"));
    CHECK(weight(epochs[1], "out.weight") == weight(epochs[0], "out.weight"));
    CHECK(weight(epochs[2], "out.weight") == weight(epochs[0], "out.weight"));
    CHECK(weight(epochs[2], "out.bias") != weight(epochs[1], "out.bias"));
  }
}

TEST_CASE("pruned weights are 0 in every checkpoint and in exported weights") {
  struct Case {
    std::string words;
    int processes;
  };
  // AdamW's moments go on changing pruned weights after each step.
  const Case cases[] = {{"", 1},
                        {"--trainer.strategy dp ", 2},
                        {"--trainer.strategy ddp ", 2},
                        {"--trainer.strategy zero1 ", 2},
                        {"--trainer.precision bf16-mixed ", 1}};
  for (const Case& c : cases) {
    const Sandbox box;
    const Outcome outcome = fit(box, c.processes,
                                set_up + every_epoch + c.words +
                                    "--callback pruning --callback.pruning.amount 0.75 "
                                    "--callback.pruning.start_epoch 1 --callback.pruning.end_epoch 2 ");
    INFO(c.words << "\n" << outcome.err);
    REQUIRE(outcome.code == 0);
    CHECK_THAT(outcome.err, ContainsSubstring("in epoch 2: 75.0 % of "));
    const double expected[] = {0, 0.75 * (1 - 1.0 / 8), 0.75};
    for (int epoch = 0; epoch < 3; ++epoch) {
      const Weights weights = after_epoch(box, 0, epoch);
      for (const char* name : {"state_dict.in.weight", "state_dict.out.weight"}) {
        const std::vector<float>& values = weights.at(name);
        CHECK(zeros(values) == Approx(expected[epoch]).margin(0.5 / static_cast<double>(values.size())));
      }
      CHECK(zeros(weights.at("state_dict.in.bias")) == 0);
    }
    REQUIRE(box.host("export " + last(box, 0) + " --format safetensors -o weights.safetensors").code == 0);
    const std::string exported = box.read(box.folder() / "weights.safetensors");
    const auto in = bytes_of(levin::core::SafetensorsReader(last(box, 0)), "state_dict.in.weight");
    CHECK(exported.find(in) != std::string::npos);
    CHECK(exported.find("mask") == std::string::npos);
  }
}

TEST_CASE("rows are pruned whole, and a model's weights by their common magnitude") {
  const Sandbox box;
  const std::string words = set_up + "--callback pruning --callback.pruning.amount 0.5 --callback.pruning.";
  REQUIRE(fit(box, 1, words + "structure row --callback.pruning.parameters '[\"in\"]'").code == 0);
  const Weights by_row = weights_in(last(box, 0));
  const std::vector<float>& in = by_row.at("state_dict.in.weight");
  const size_t rows = by_row.at("state_dict.in.bias").size(), columns = in.size() / rows;
  size_t pruned = 0;
  for (size_t row = 0; row < rows; ++row) {
    const std::vector<float> values(in.begin() + static_cast<long>(row * columns),
                                    in.begin() + static_cast<long>((row + 1) * columns));
    CHECK((zeros(values) == 0 || zeros(values) == 1));
    pruned += zeros(values) == 1;
  }
  CHECK(pruned == rows / 2);
  CHECK(zeros(by_row.at("state_dict.out.weight")) == 0);
  REQUIRE(fit(box, 1, words + "scope model").code == 0);
  const Weights by_model = weights_in(last(box, 1));
  std::vector<float> all = by_model.at("state_dict.in.weight");
  const std::vector<float>& out = by_model.at("state_dict.out.weight");
  all.insert(all.end(), out.begin(), out.end());
  CHECK(zeros(all) == Approx(0.5).margin(0.5 / static_cast<double>(all.size())));
}

TEST_CASE("columns are pruned whole, by either norm of the weights at the start of the epoch") {
  for (const int norm : {1, 2}) {
    const Sandbox box;
    const Outcome outcome =
        fit(box, 1,
            set_up + every_epoch +
                "--callback pruning --callback.pruning.structure column --callback.pruning.start_epoch 2 "
                "--callback.pruning.norm " +
                std::to_string(norm));
    INFO(norm << "\n" << outcome.err);
    REQUIRE(outcome.code == 0);
    const Weights before = after_epoch(box, 0, 1), after = after_epoch(box, 0, 2);
    for (const std::string module : {"in", "out"}) {
      const std::vector<float>&old = before.at("state_dict." + module + ".weight"),
            &now = after.at("state_dict." + module + ".weight");
      const size_t rows = after.at("state_dict." + module + ".bias").size(), columns = now.size() / rows;
      REQUIRE(columns > 1);
      std::vector<std::pair<double, size_t>> sizes(columns);
      for (size_t i = 0; i < old.size(); ++i) {
        sizes[i % columns].first += std::pow(std::fabs(old[i]), norm);
        sizes[i % columns].second = i % columns;
      }
      std::sort(sizes.begin(), sizes.end());
      for (size_t place = 0; place < columns; ++place) {
        std::vector<float> values;
        for (size_t row = 0; row < rows; ++row) values.push_back(now[row * columns + sizes[place].second]);
        CHECK(zeros(values) == (place < (columns + 1) / 2 ? 1 : 0));
      }
    }
  }
}

TEST_CASE("a parameter of one row keeps it unless everything is pruned") {
  for (const std::string amount : {"0.9", "1"}) {
    const Sandbox box;
    const std::string words = "--callback pruning --callback.pruning.structure row --callback.pruning.amount ";
    REQUIRE(fit(box, 1, set_up + words + amount).code == 0);
    const Weights weights = weights_in(last(box, 0));
    REQUIRE(weights.at("state_dict.out.bias").size() == 1);
    CHECK(zeros(weights.at("state_dict.out.weight")) == (amount == "1" ? 1 : 0));
  }
}

TEST_CASE("the monitors log norms that agree with trainer.track_grad_norm, and take sparse and complex gradients") {
  const Sandbox box;
  const Outcome outcome = fit(box, 1, set_up + "--callback gradient_monitor --trainer.track_grad_norm 2 ");
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  const auto rows = levin::core::split(levin::core::trim(box.read(box.run(0) / "metrics.csv")), '\n');
  const auto names = levin::core::split(rows.at(0), ',');
  const auto column = [&](const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    REQUIRE(found != names.end());
    return static_cast<size_t>(found - names.begin());
  };
  size_t compared = 0;
  for (size_t i = 1; i < rows.size(); ++i) {
    const auto values = levin::core::split(rows[i], ',');
    const std::string norm = values.at(column("grad_norm"));
    if (norm.empty()) continue;
    CHECK(std::stod(norm) == Approx(std::stod(values.at(column("grad_2.0_norm_total")))).margin(1e-4));
    CHECK(std::stod(values.at(column("weight_norm"))) > 0);
    ++compared;
  }
  CHECK(compared > 3);
  column("grad_noise_scale");
  REQUIRE(fit(box, 1, "--callback histogram_monitor --logger tensorboard ").code == 0);
  std::string events;
  for (const auto& entry : std::filesystem::directory_iterator(box.run(1)))
    if (levin::core::starts_with(entry.path().filename().string(), "events.out")) events += box.read(entry.path());
  for (const char* tag : {"weights/in.weight", "gradients/in.weight", "weights/out.bias", "gradients/out.bias"})
    CHECK_THAT(events, ContainsSubstring(tag));
  const Outcome kinds = fit(box, 1,
                            "--model kinds --callback gradient_monitor --callback histogram_monitor --logger csv "
                            "--trainer.log_every_n_steps 1 --callback model_checkpoint=false ");
  INFO(kinds.err);
  CHECK(kinds.code == 0);
}

TEST_CASE("what these callbacks cannot do is refused") {
  const Sandbox box;
  const auto refusal = [&](const std::string& words) { return fit(box, 1, words).error(); };
  CHECK_THAT(refusal("--callback pruning --callback.pruning.parameters '[\"*.bias\"]'"),
             ContainsSubstring("parameters names no weights of two or more dimensions"));
  CHECK_THAT(refusal("--callback pruning --callback.pruning.parameters '[\"tail\"]'"),
             ContainsSubstring("the model has no parameter 'tail'; its first are: in.weight"));
  CHECK_THAT(refusal("--callback pruning --callback.pruning.start_epoch 2 --callback.pruning.end_epoch 1"),
             ContainsSubstring("end_epoch is 1, before start_epoch, which is 2"));
  CHECK_THAT(refusal("--callback histogram_monitor --callback.histogram_monitor.parameters '[\"tail\"]'"),
             ContainsSubstring("no parameter 'tail'"));
}

}  // namespace fits_callbacks_test
