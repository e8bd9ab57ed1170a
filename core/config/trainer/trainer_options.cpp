#include "core/config/trainer_options.hpp"

#include <limits>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"
#include "core/config/precision_name.hpp"
#include "core/config/trainer_rules.hpp"

namespace levin::core {
namespace {

using nlohmann::json;
constexpr double inf = std::numeric_limits<double>::infinity();

OptionSchema option(const char* name, uint32_t type, json deflt, const char* help) {
  OptionSchema o;
  o.name = name;
  o.type = type;
  o.deflt = std::move(deflt);
  if (o.deflt.is_null()) o.flags = LEVIN_OPT_NULLABLE;
  o.help = help;
  return o;
}

OptionSchema integer(const char* name, json deflt, double min, const char* help, double max = inf) {
  OptionSchema o = option(name, LEVIN_T_INT, std::move(deflt), help);
  o.min = min;
  o.max = max;
  return o;
}

OptionSchema choice(const char* name, json deflt, std::vector<std::string> choices, const char* help) {
  OptionSchema o = option(name, LEVIN_T_CHOICE, std::move(deflt), help);
  o.choices = std::move(choices);
  return o;
}

OptionSchema nullable(OptionSchema o) {
  o.flags |= LEVIN_OPT_NULLABLE;
  return o;
}

TrainerOption limit(const char* name, const char* help) {
  return {option(name, LEVIN_T_JSON, nullptr, help), "Limits", "an int >= 0 (batches) or a fraction in [0.0, 1.0]",
          trainer_rules::count_or_fraction, ""};
}

TrainerOption with_refused(TrainerOption o, const std::vector<std::string>& values, const char* reason) {
  for (const auto& value : values) o.refused[value] = reason;
  return o;
}

// The name of a value that is known and not there, in any letter case; else null.
json refused_value(const TrainerOption& option, const json& value) {
  const std::string text = value.is_string() ? lower(value.get<std::string>()) : "";
  return option.refused.count(text) ? json(text) : json(nullptr);
}

using Table = std::vector<TrainerOption>;

void add_duration(Table& t) {
  const char* g = "Duration";
  t.push_back({integer("max_epochs", nullptr, -1,
                       "stop after so many epochs; -1: never; null: 1000 if max_steps does not stop the run"),
               g, "", nullptr, ""});
  t.push_back(
      {integer("min_epochs", nullptr, 0, "go on for so many epochs, whoever asks to stop"), g, "", nullptr, ""});
  t.push_back(
      {nullable(integer("max_steps", -1, -1, "stop after so many optimizer steps; -1: never")), g, "", nullptr, ""});
  t.push_back({integer("min_steps", nullptr, 0, "go on for so many optimizer steps, whoever asks to stop"), g, "",
               nullptr, ""});
  t.push_back({option("fast_dev_run", LEVIN_T_JSON, false,
                      "try everything with so many batches (true: 1): one epoch, no logs, no checkpoints"),
               g, "true, false or an int >= 0", trainer_rules::bool_or_count, ""});
}

void add_limits(Table& t) {
  t.push_back(limit("limit_train_batches", "train batches an epoch: a count (10) or a fraction (0.5); 1.0: all"));
  t.push_back(limit("limit_val_batches", "validation batches a loader; 0: no validation"));
  t.push_back(limit("limit_test_batches", "test batches a loader"));
  t.push_back(limit("limit_predict_batches", "prediction batches a loader"));
  auto overfit = limit("overfit_batches", "train and validate on so many batches, in a fixed order; 0: off");
  overfit.schema.deflt = 0.0;  // null is, as in Lightning, everything
  t.push_back(overfit);
}

void add_validation(Table& t) {
  const char* g = "Validation and logging";
  t.push_back({option("val_check_interval", LEVIN_T_JSON, nullptr,
                      "validate after so many batches (100), parts of an epoch (0.25) or time (00:01:00:00)"),
               g, "an int >= 0 (batches), a fraction in [0.0, 1.0] or a time DD:HH:MM:SS",
               trainer_rules::check_interval, ""});
  t.push_back({nullable(integer("check_val_every_n_epoch", 1, 1,
                                "validate in every n-th epoch; null: val_check_interval counts across epochs")),
               g, "", nullptr, ""});
  t.push_back({integer("num_sanity_val_steps", nullptr, -1,
                       "validation batches before training, to find mistakes early; -1: all; null: 2"),
               g, "", nullptr, ""});
  t.push_back({integer("log_every_n_steps", nullptr, 0, "steps between two rows of step metrics; 0: none; null: 50"), g,
               "", nullptr, ""});
  t.push_back({integer("flush_logs_every_n_steps", nullptr, 1,
                       "optimizer steps after which loggers have to write to the disk; null: as each logger likes"),
               g, "", nullptr, ""});
  t.push_back({option("logger", LEVIN_T_BOOL, nullptr, "false: no logger"), g, "", nullptr, ""});
  t.push_back(
      {option("log_name", LEVIN_T_STRING, "levin_logs", "folder of the runs in default_root_dir"), g, "", nullptr, ""});
  t.push_back(
      {option("log_version", LEVIN_T_JSON, nullptr, "of the run's folder: 3 is version_3; null: the next number"), g,
       "an int >= 0 or a name", trainer_rules::version, ""});
  t.push_back(
      {option("default_root_dir", LEVIN_T_PATH, nullptr, "folder in which run folders are made; null: the current one"),
       g, "", nullptr, ""});
}

void add_optimization(Table& t) {
  const char* g = "Optimization";
  t.push_back({option("accumulate_grad_batches", LEVIN_T_JSON, 1,
                      "batches whose gradients are summed up for one step; {\"0\": 1, \"4\": 2}: by epoch"),
               g, "an int >= 1, or an object of such by the epoch (0-based) from which they hold",
               trainer_rules::accumulation, ""});
  t.push_back({option("accumulate_exact", LEVIN_T_BOOL, false,
                      "divide a short last window by its own number of batches, not by accumulate_grad_batches"),
               g, "", nullptr, ""});
  OptionSchema clip = option("gradient_clip_val", LEVIN_T_FLOAT, nullptr,
                             "clip gradients to this before each step; null, 0 or less: do not");
  clip.min = -inf;
  clip.max = inf;
  t.push_back({clip, g, "", nullptr, ""});
  t.push_back({choice("gradient_clip_algorithm", nullptr, {"norm", "value"},
                      "clip the norm of all gradients or each value; null: norm"),
               g, "", nullptr, ""});
  t.push_back(with_refused(
      {option("precision", LEVIN_T_JSON, nullptr,
              "type of numbers; null: 32-true; 16 and bf16 stand for the mixed ones, 32 and 64 for the true"),
       g, "one of: " + join(precision_names(), ", "), trainer_rules::precision, ""},
      {"transformer-engine", "transformer-engine-float16"},
      "there is no Transformer Engine; use bf16-mixed or 16-mixed"));
  t.push_back(
      {integer("truncated_bptt_steps", nullptr, 0,
               "cut batches along their second dimension into splits of so many steps in time; null or 0: do not"),
       g, "", nullptr, ""});
  t.push_back({option("track_grad_norm", LEVIN_T_JSON, nullptr,
                      "log this norm of each parameter's gradient and of all; 'inf' or a number; null: do not"),
               g, "a number > 0 or 'inf'", trainer_rules::norm, ""});
  t.push_back({option("move_metrics_to_cpu", LEVIN_T_BOOL, false,
                      "read logged values off the device at once (waits for it); false: when somebody asks for them"),
               g, "", nullptr, ""});
  t.push_back({option("terminate_on_nan", LEVIN_T_BOOL, false,
                      "fail when the loss or a parameter is not finite after a batch (waits for the device)"),
               g, "", nullptr, ""});
  t.push_back(
      {option("detect_anomaly", LEVIN_T_BOOL, false, "find the operation that made a NaN (slow)"), g, "", nullptr, ""});
}

void add_machine(Table& t) {
  const char* g = "Machine";
  const char* one = "this version trains on one device";
  t.push_back(
      {choice("accelerator", "auto", {"auto", "cpu", "gpu", "cuda"}, "where to run; auto: a GPU if there is one"), g,
       "", nullptr, ""});
  t.push_back({option("devices", LEVIN_T_JSON, "auto", "how many devices (1), or which ([0] or '0,')"), g,
               "auto, an int >= 1, or a list of device numbers", trainer_rules::devices, ""});
  t.push_back({integer("num_nodes", 1, 1, "machines"), g, "", nullptr, one});
  t.push_back(with_refused(
      {choice("strategy", "auto", {"auto", "single_device"}, "how devices work together"), g, "", nullptr, ""},
      {"ddp", "ddp_spawn", "ddp_fork", "fsdp", "deepspeed"},
      "this version trains on one device; use auto or single_device"));
  t.push_back(
      {option("sync_batchnorm", LEVIN_T_BOOL, false, "batch statistics over all devices"), g, "", nullptr, one});
  t.push_back(
      {option("use_distributed_sampler", LEVIN_T_BOOL, true, "share rows out over devices, where there are several"), g,
       "", nullptr, ""});
  t.push_back(
      {integer("num_threads", nullptr, 1, "CPU threads of the computation; null: every CPU this process may use", 1024),
       g, "", nullptr, ""});
  t.push_back(
      {option("inference_mode", LEVIN_T_BOOL, true, "evaluate without any trace of gradients"), g, "", nullptr, ""});
}

void add_rest(Table& t) {
  const char* g = "Reproducibility and debugging";
  t.push_back({option("seed_everything", LEVIN_T_JSON, true,
                      "seed of all random numbers; true: 0; false: another one in each run"),
               g, "true, false or an int in [0, 4294967295]", trainer_rules::seed, ""});
  t.push_back(
      {option("deterministic", LEVIN_T_JSON, nullptr, "only deterministic operations; 'warn': say where there is none"),
       g, "true, false or 'warn'", trainer_rules::bool_or_warn, ""});
  t.push_back({option("benchmark", LEVIN_T_BOOL, nullptr, "let cuDNN measure which of its algorithms is fastest"), g,
               "", nullptr, ""});
  t.push_back(
      {option("barebones", LEVIN_T_BOOL, false, "nothing but training, to measure its speed"), g, "", nullptr, ""});
  t.push_back({integer("reload_dataloaders_every_n_epochs", 0, 0, "make the loaders anew every n epochs; 0: never"), g,
               "", nullptr, ""});
  t.push_back(
      {choice(
           "multiple_trainloader_mode", "max_size_cycle", {"max_size_cycle", "min_size", "max_size", "sequential"},
           "several train loaders: together until the longest ends (shorter ones again, or nothing) or the shortest, "
           "or one after another"),
       g, "", nullptr, ""});
  t.push_back(
      with_refused({choice("profiler", nullptr, {"simple", "advanced"},
                           "where the time goes: a table by plugin and call, and, advanced, a trace for Chrome"),
                    g, "", nullptr, ""},
                   {"pytorch", "xla"}, "there are simple and advanced"));
}

Table make_table() {
  Table table;
  add_duration(table);
  add_limits(table);
  add_validation(table);
  add_optimization(table);
  add_machine(table);
  add_rest(table);
  return table;
}

std::vector<OptionSchema> make_loader_options() {
  return {
      integer("batch_size", 32, 1, "rows in a training batch"),
      integer("eval_batch_size", nullptr, 1, "rows in a batch of validation, test and prediction; null: batch_size"),
      option("shuffle", LEVIN_T_BOOL, true, "a new order of the training rows in every epoch"),
      option("drop_last", LEVIN_T_BOOL, false, "leave out a last training batch that is not full"),
      integer("num_workers", 0, 0, "threads that prepare batches; 0: the training thread does it"),
      integer("prefetch_factor", 2, 1, "batches that each worker prepares ahead"),
      option("pin_memory", LEVIN_T_BOOL, false, "batches in memory that a GPU copies from faster")};
}

}  // namespace

const std::vector<TrainerOption>& trainer_options() {
  static const Table table = make_table();
  return table;
}

const TrainerOption* find_trainer_option(const std::string& name) {
  for (const auto& option : trainer_options()) {
    if (option.schema.name == name) return &option;
  }
  return nullptr;
}

std::string describe_type(const TrainerOption& option) {
  if (option.expects.empty()) return describe_type(option.schema);
  return option.expects + (option.schema.flags & LEVIN_OPT_NULLABLE ? " or null" : "");
}

json check_trainer_option(const TrainerOption& option, const json& value, const std::string& where) {
  json checked = refused_value(option, value);
  if (!checked.is_null()) return checked;
  if (option.rule == nullptr) {
    checked = check_option(option.schema, value, where);
  } else {
    const bool null = value.is_null() || (value.is_string() && scalar_from_text(value.get<std::string>()).is_null());
    const bool nullable_option = (option.schema.flags & LEVIN_OPT_NULLABLE) != 0;
    checked = null ? (nullable_option ? json(nullptr) : json(json::value_t::discarded)) : option.rule(value);
    if (checked.is_discarded()) {
      throw Error(ErrorKind::usage, where + ": " + show(value) + " is not valid; expected " + describe_type(option));
    }
  }
  if (option.missing.empty() || checked == option.schema.deflt) return checked;
  throw Error(ErrorKind::usage, where + ": " + show(checked) + " is refused: " + option.missing + "; leave it at " +
                                    show(option.schema.deflt));
}

const std::vector<OptionSchema>& loader_options() {
  static const auto options = make_loader_options();
  return options;
}

}  // namespace levin::core
