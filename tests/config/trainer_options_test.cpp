#include "core/config/trainer/trainer_options.hpp"

#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "core/base/error.hpp"

using namespace levin::core;
using nlohmann::json;

namespace {

json checked(const std::string& name, const json& value) {
  const TrainerOption* option = find_trainer_option(name);
  REQUIRE(option != nullptr);
  return check_trainer_option(*option, value, "--trainer." + name);
}

json resolved(const json& given) {
  json values = json::object();
  std::set<std::string> by_user;
  for (const auto& [name, value] : given.items()) {
    values[name] = checked(name, value);
    by_user.insert(name);
  }
  return resolve_trainer(values, by_user);
}

struct Row {
  const char* name;
  json given, value;
};

struct BadRow {
  const char* name;
  json given;
  const char* shown;
};
void check_bad(const std::vector<BadRow>& rows) {
  for (const auto& row : rows) {
    INFO(row.name << " = " << row.given);
    CHECK_THROWS_WITH(checked(row.name, row.given),
                      ContainsSubstring(std::string("--trainer.") + row.name) && ContainsSubstring(row.shown));
  }
}

}  // namespace

TEST_CASE("values of the Trainer's options are taken as Lightning takes them") {
  const std::vector<Row> rows = {
      {"max_epochs", "-1", -1},
      {"max_epochs", nullptr, nullptr},
      {"limit_train_batches", 1, 1},
      {"limit_train_batches", 1.0, 1.0},
      {"limit_train_batches", "1", 1},
      {"limit_train_batches", "1.0", 1.0},
      {"limit_train_batches", 10.0, 10},
      {"limit_val_batches", 0, 0},
      {"overfit_batches", "0.5", 0.5},
      {"fast_dev_run", "true", true},
      {"fast_dev_run", 3, 3},
      {"fast_dev_run", 0, 0},
      {"val_check_interval", 0.25, 0.25},
      {"val_check_interval", "100", 100},
      {"val_check_interval", 0.0, 0.0},
      {"limit_train_batches", 1e50, 1e50},
      {"val_check_interval", "00:00:10:00", "00:00:10:00"},
      {"val_check_interval", {{"hours", 2}, {"minutes", 30}}, "00:02:30:00"},
      {"val_check_interval", "00:00:00:00", "00:00:00:00"},
      {"val_check_interval", " 1:02 : 3:04 ", "01:02:03:04"},
      {"check_val_every_n_epoch", nullptr, nullptr},
      {"gradient_clip_algorithm", "NORM", "norm"},
      {"precision", 16, "16-mixed"},
      {"precision", "32", "32-true"},
      {"precision", "bf16", "bf16-mixed"},
      {"use_distributed_sampler", false, false},
      {"flush_logs_every_n_steps", "100", 100},
      {"tags", "a, b", {"a", "b"}},
      {"tags", {"a b", "c"}, {"a b", "c"}},
      {"tags", "[\"a\", \"b\"]", {"a", "b"}},
      {"tags", "3", json::array({"3"})},
      {"tags", "", json::array()},
      {"precision", "bf16-mixed", "bf16-mixed"},
      {"devices", "auto", "auto"},
      {"devices", "1", 1},
      {"devices", "0,", {0}},
      {"devices", "1, 3", {1, 3}},
      {"devices", json::array({0}), {0}},
      {"deterministic", "warn", "warn"},
      {"deterministic", "true", true},
      {"seed_everything", "42", 42},
      {"seed_everything", "true", true},
      {"strategy", "auto", "auto"},
      {"num_nodes", "1", 1},
  };
  for (const auto& row : rows) {
    INFO(row.name << " = " << row.given);
    const json value = checked(row.name, row.given);
    CHECK(value == row.value);
    CHECK(value.is_number_float() == row.value.is_number_float());
  }
}

TEST_CASE("bad numbers of epochs, steps and batches are refused, naming option and value") {
  check_bad({
      {"max_epochs", -2, "-2"},
      {"max_epochs", 1.5, "1.5"},
      {"max_steps", -2, "-2"},
      {"fast_dev_run", -1, "-1"},
      {"fast_dev_run", 1.5, "1.5"},
      {"limit_train_batches", 1.5, "1.5"},
      {"limit_val_batches", -1, "-1"},
      {"limit_test_batches", -0.1, "-0.1"},
      {"limit_predict_batches", 2.5, "2.5"},
      {"limit_train_batches", true, "true"},
      {"overfit_batches", 1.2, "1.2"},
      {"val_check_interval", 1.2, "1.2"},
      {"val_check_interval", -1, "-1"},
      {"val_check_interval", "abc", "abc"},
      {"val_check_interval", "1:2:3", "1:2:3"},
      {"val_check_interval", "00:00:00:1.5", "00:00:00:1.5"},
      {"val_check_interval", {{"foo", 1}}, "foo"},
      {"check_val_every_n_epoch", 1.2, "1.2"},
      {"check_val_every_n_epoch", 0, "0"},
      {"reload_dataloaders_every_n_epochs", -1, "-1"},
      {"reload_dataloaders_every_n_epochs", "test", "test"},
      {"accumulate_grad_batches", 0, "0"},
      {"accumulate_grad_batches", -1, "-1"},
      {"accumulate_grad_batches", {{"0", 0}}, "0"},
      {"accumulate_grad_batches", {{"x", 2}}, "x"},
      {"log_every_n_steps", -1, "-1"},
      {"num_sanity_val_steps", -2, "-2"},
      {"flush_logs_every_n_steps", 0, "0"},
      {"tags", {"a", 3}, "tags"},
      {"tags", "a,,b", "tags"},
      {"tags", true, "tags"},
      {"tags", "[1]", "tags"},
  });
}

TEST_CASE("bad devices, precisions and other choices are refused, naming option and value") {
  check_bad({
      {"num_nodes", 0, "0"},           {"devices", 0, "0"},
      {"devices", "0", "0"},           {"devices", json::array(), "[]"},
      {"devices", "many", "many"},     {"accelerator", "foo", "foo"},
      {"accelerator", "tpu", "tpu"},   {"strategy", "dpp", "dpp"},
      {"precision", "foo", "foo"},     {"precision", 8, "8"},
      {"profiler", "foo", "foo"},      {"gradient_clip_algorithm", "norm2", "norm2"},
      {"gradient_clip_val", "x", "x"}, {"track_grad_norm", -1, "-1"},
      {"deterministic", "foo", "foo"}, {"scale_lr", "cubic", "cubic"},
      {"precision", true, "true"},     {"precision", "fp16", "fp16"},
      {"seed_everything", -1, "-1"},   {"num_threads", 0, "0"},
      {"num_threads", 4000, "4000"},
  });
}

TEST_CASE("a Trainer that nobody told anything has Lightning's values") {
  const json t = resolved(json::object());
  const json expected = {{"max_epochs", nullptr},
                         {"min_epochs", nullptr},
                         {"max_steps", -1},
                         {"min_steps", nullptr},
                         {"limit_train_batches", 1.0},
                         {"limit_val_batches", 1.0},
                         {"limit_test_batches", 1.0},
                         {"limit_predict_batches", 1.0},
                         {"overfit_batches", 0.0},
                         {"val_check_interval", 1.0},
                         {"check_val_every_n_epoch", 1},
                         {"num_sanity_val_steps", 2},
                         {"log_every_n_steps", 50},
                         {"accumulate_grad_batches", 1},
                         {"gradient_clip_val", nullptr},
                         {"precision", "32-true"},
                         {"fast_dev_run", false},
                         {"reload_dataloaders_every_n_epochs", 0},
                         {"inference_mode", true},
                         {"seed_everything", 0},
                         {"default_root_dir", std::filesystem::current_path().string()}};
  for (const auto& [name, value] : expected.items()) {
    INFO(name);
    CHECK(t.at(name) == value);
  }
  CHECK(t.size() == trainer_options().size());
}

TEST_CASE("options that stand for others are spread over them") {
  struct SpreadRow {
    json given, expected;
  };
  const std::vector<SpreadRow> rows = {
      {{{"fast_dev_run", true}},
       {{"max_epochs", 1},
        {"max_steps", 1},
        {"limit_train_batches", 1},
        {"limit_predict_batches", 1},
        {"num_sanity_val_steps", 0}}},
      {{{"fast_dev_run", 3}, {"max_epochs", 10}, {"val_check_interval", 0.1}, {"limit_train_batches", 50}},
       {{"max_epochs", 1},
        {"max_steps", 3},
        {"limit_train_batches", 3},
        {"val_check_interval", 1.0},
        {"fast_dev_run", 3}}},
      {{{"overfit_batches", 2}}, {{"limit_train_batches", 2}, {"limit_val_batches", 2}, {"limit_test_batches", 1.0}}},
      {{{"overfit_batches", 0.5}, {"limit_train_batches", 3}},
       {{"limit_train_batches", 0.5}, {"limit_val_batches", 0.5}}},
      {{{"barebones", true}}, {{"num_sanity_val_steps", 0}, {"log_every_n_steps", 0}, {"logger", false}}},
      {{{"max_steps", 5}}, {{"max_epochs", nullptr}, {"max_steps", 5}}},
      {{{"precision", "bf16"}}, {{"precision", "bf16-mixed"}}},
      {{{"precision", 64}}, {{"precision", "64-true"}}},
      {{{"seed_everything", false}}, {{"seed_everything", nullptr}}},
      {{{"check_val_every_n_epoch", nullptr}, {"val_check_interval", 100}}, {{"check_val_every_n_epoch", nullptr}}},
      {{{"check_val_every_n_epoch", nullptr}}, {{"check_val_every_n_epoch", nullptr}, {"val_check_interval", 1.0}}},
      {{{"fast_dev_run", 1}}, {{"fast_dev_run", true}, {"limit_val_batches", 1}}},
      {{{"fast_dev_run", 2}, {"overfit_batches", 3}}, {{"limit_train_batches", 3}, {"limit_test_batches", 2}}},
  };
  for (const auto& row : rows) {
    INFO(row.given);
    const json t = resolved(row.given);
    for (const auto& [name, value] : row.expected.items()) CHECK(t.at(name) == value);
  }
}

TEST_CASE("options that contradict each other are refused, naming both") {
  struct PairRow {
    json given;
    const char *first, *second;
  };
  const std::vector<PairRow> rows = {
      {{{"check_val_every_n_epoch", nullptr}, {"val_check_interval", 0.5}},
       "check_val_every_n_epoch",
       "val_check_interval"},
      {{{"check_val_every_n_epoch", nullptr}, {"val_check_interval", 1.0}},
       "check_val_every_n_epoch",
       "val_check_interval"},
      {{{"barebones", true}, {"logger", true}}, "barebones", "logger"},
      {{{"barebones", true}, {"log_every_n_steps", 1}}, "barebones", "log_every_n_steps"},
      {{{"barebones", true}, {"num_sanity_val_steps", 1}}, "barebones", "num_sanity_val_steps"},
      {{{"barebones", true}, {"fast_dev_run", 1}}, "barebones", "fast_dev_run"},
      {{{"barebones", true}, {"detect_anomaly", true}}, "barebones", "detect_anomaly"},
      {{{"barebones", true}, {"profiler", "simple"}}, "barebones", "profiler"},
      {{{"profiler", "PyTorch"}}, "profiler=pytorch", "use simple or advanced"},
      {{{"profiler", "xla"}}, "profiler=xla", "use simple or advanced"},
      {{{"precision", "transformer-engine"}}, "precision=transformer-engine is refused", "bf16-mixed"},
      {{{"precision", "Transformer-Engine-Float16"}}, "transformer-engine-float16", "bf16-mixed"},
      {{{"devices", json::array({0})}, {"accelerator", "cpu"}}, "devices", "accelerator"},
      {{{"strategy", "DDP_spawn"}}, "strategy=ddp_spawn", "use ddp"},
      {{{"strategy", "deepspeed"}}, "strategy=deepspeed", "use zero1"},
  };
  for (const auto& row : rows) {
    INFO(row.given);
    CHECK_THROWS_WITH(resolved(row.given), ContainsSubstring(row.first) && ContainsSubstring(row.second));
  }
}

TEST_CASE("what is always refused is no choice that people are shown") {
  for (const auto& option : trainer_options()) {
    for (const auto& [value, reason] : option.refused) {
      INFO(option.schema.name << "=" << value);
      CHECK(checked(option.schema.name, value) == value);
      CHECK_THROWS_WITH(resolved({{option.schema.name, value}}), ContainsSubstring(value + " is refused: " + reason));
      CHECK_THAT(describe_type(option), !ContainsSubstring(" " + value));
      CHECK_THROWS_WITH(checked(option.schema.name, value + "x"), !ContainsSubstring(" " + value + ","));
    }
  }
  CHECK(find_trainer_option("strategy")->refused.size() == 5);
  CHECK_THROWS_WITH(checked("precision", "bf17"), ContainsSubstring("bf16-true") && !ContainsSubstring("transformer"));
}

TEST_CASE("every default is a value that the option takes") {
  for (const auto& option : trainer_options()) {
    INFO(option.schema.name);
    CHECK(check_trainer_option(option, option.schema.deflt, "default") == option.schema.deflt);
    CHECK_FALSE(option.schema.help.empty());
  }
}
