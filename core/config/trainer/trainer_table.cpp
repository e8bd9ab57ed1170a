// The table of the Trainer's options: type, default, help, rule, and the member of RunPlan.
#include <limits>

#include "core/base/text.hpp"
#include "core/config/option_values.hpp"
#include "core/config/trainer/plan_values.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "core/config/trainer/trainer_rules.hpp"

namespace levin::core {
namespace {

using nlohmann::json;
using Plan = RunPlan;
using Table = std::vector<TrainerOption>;
constexpr double infinity = std::numeric_limits<double>::infinity();

// Builds one row of the table by chained calls.
class Row {
 public:
  // If the default is null, users may give null too.
  explicit Row(OptionSchema schema) {
    if (schema.deflt.is_null()) schema.flags |= LEVIN_OPT_NULLABLE;
    option_.schema = std::move(schema);
  }
  operator TrainerOption() const { return option_; }

  Row& takes(const std::string& what, json (*rule)(const json&)) {
    option_.expects = what;
    option_.rule = rule;
    return *this;
  }
  Row& is_list() {
    option_.list = true;
    return *this;
  }
  Row& or_null() {
    option_.schema.flags |= LEVIN_OPT_NULLABLE;
    return *this;
  }
  Row& null_means(json value) {
    option_.null_means = std::move(value);
    return or_null();
  }
  Row& only_default(const char* reason) {
    option_.missing = reason;
    return *this;
  }
  Row& refuses(const std::vector<std::string>& values, const char* reason) {
    for (const auto& value : values) option_.refused[value] = reason;
    return *this;
  }
  template <class T>
  Row& sets(T RunPlan::*member) {
    return sets([member](RunPlan& plan, const json& value) { assign(plan.*member, value); });
  }
  Row& sets(std::function<void(RunPlan&, const json&)> set) {
    option_.set = std::move(set);
    return *this;
  }

 private:
  TrainerOption option_;
};

Row whole(const char* name, json deflt, double min, const char* help, double max = infinity) {
  OptionSchema schema = int_option(name, std::move(deflt), min, help);
  schema.max = max;
  return Row(std::move(schema));
}

Row flag(const char* name, bool deflt, const char* help) { return Row(bool_option(name, deflt, help)); }

Row flag_or_null(const char* name, const char* help) { return Row(nullable(bool_option(name, false, help))); }

Row any(const char* name, json deflt, const char* help) { return Row(json_option(name, std::move(deflt), help)); }

Row of_type(const char* name, uint32_t type, json deflt, const char* help) {
  OptionSchema schema = json_option(name, std::move(deflt), help);
  schema.type = type;
  return Row(std::move(schema));
}

Row choice(const char* name, json deflt, std::vector<std::string> choices, const char* help) {
  OptionSchema schema = choice_option(name, std::move(choices), help);
  schema.deflt = std::move(deflt);
  return Row(std::move(schema));
}

Row limit(const char* name, const char* help) {
  return any(name, nullptr, help)
      .takes("an int >= 0 (batches) or a fraction in [0.0, 1.0]", trainer_rules::count_or_fraction)
      .null_means(1.0);
}

// Sets 1000 epochs for null. make_run_plan() changes that to -1 if max_steps or max_time ends the run.
void set_max_epochs(RunPlan& plan, const json& value) {
  plan.max_epochs = value.is_null() ? 1000 : value.get<int64_t>();
}

void set_clip_val(RunPlan& plan, const json& value) {
  assign(plan.gradient_clip_val, value);
  if (plan.gradient_clip_val == 0.0) plan.gradient_clip_val.reset();  // 0 switches clipping off, as in Lightning 1.x
}

void set_deterministic(RunPlan& plan, const json& value) {
  plan.deterministic_warn = value.is_string();
  plan.deterministic = plan.deterministic_warn || value == true;
}

void set_seed(RunPlan& plan, const json& value) {
  plan.seed = value.is_number() ? std::optional<uint64_t>(value.get<uint64_t>()) : std::nullopt;
}

Table duration_rows() {
  return {
      whole("max_epochs", nullptr, -1,
            "stop after so many epochs; -1: never; null: 1000 if max_steps does not stop the run")
          .sets(set_max_epochs),
      whole("min_epochs", nullptr, 0, "go on for so many epochs, whoever asks to stop").sets(&Plan::min_epochs),
      whole("max_steps", -1, -1, "stop after so many optimizer steps; -1: never").null_means(-1).sets(&Plan::max_steps),
      whole("min_steps", nullptr, 0, "go on for so many optimizer steps, whoever asks to stop").sets(&Plan::min_steps),
      any("fast_dev_run", false, "try everything with so many batches (true: 1): one epoch, no logs, no checkpoints")
          .takes("true, false or an int >= 0", trainer_rules::bool_or_count)
          .sets(&Plan::fast_dev_run)};
}

Table limit_rows() {
  Row overfit = limit("overfit_batches", "train and validate on so many batches, in a fixed order; 0: off");
  overfit.sets(&Plan::overfit_batches);
  TrainerOption overfit_batches = overfit;
  overfit_batches.schema.deflt = 0.0;  // null means all batches, as in Lightning
  return {limit("limit_train_batches", "train batches an epoch: a count (10) or a fraction (0.5); 1.0: all")
              .sets(&Plan::limit_train),
          limit("limit_val_batches", "validation batches a loader; 0: no validation").sets(&Plan::limit_val),
          limit("limit_test_batches", "test batches a loader").sets(&Plan::limit_test),
          limit("limit_predict_batches", "prediction batches a loader").sets(&Plan::limit_predict), overfit_batches};
}

Table validation_and_logging_rows() {
  return {
      any("val_check_interval", nullptr,
          "validate after so many batches (100), parts of an epoch (0.25) or time (00:01:00:00)")
          .takes("an int >= 0 (batches), a fraction in [0.0, 1.0] or a time DD:HH:MM:SS", trainer_rules::check_interval)
          .null_means(1.0)
          .sets(&Plan::val_check_interval),
      whole("check_val_every_n_epoch", 1, 1,
            "validate in every n-th epoch; null: val_check_interval counts across epochs")
          .or_null()
          .sets(&Plan::check_val_every_n_epoch),
      whole("num_sanity_val_steps", nullptr, -1,
            "validation batches before training, to find mistakes early; -1: all; null: 2")
          .null_means(2)
          .sets(&Plan::num_sanity_val_steps),
      whole("log_every_n_steps", nullptr, 0, "steps between two rows of step metrics; 0: none; null: 50")
          .null_means(50)
          .sets(&Plan::log_every_n_steps),
      whole("flush_logs_every_n_steps", nullptr, 1,
            "optimizer steps after which loggers have to write to the disk; null: as each logger likes")
          .sets(&Plan::flush_logs_every_n_steps),
      flag_or_null("logger", "false: no logger").null_means(true),
      flag("enable_autolog_hparams", true, "give loggers the run's options, as hyperparameters")
          .sets(&Plan::enable_autolog_hparams),
      of_type("log_name", LEVIN_T_STRING, "levin_logs", "folder of the runs in default_root_dir")
          .takes("the name of a folder below default_root_dir, without '..'", trainer_rules::folder_name)
          .sets(&Plan::log_name),
      any("log_version", nullptr, "of the run's folder: 3 is version_3; null: the next number")
          .takes("an int >= 0 or the name of a folder", trainer_rules::version)
          .sets(&Plan::log_version),
      of_type("run_name", LEVIN_T_STRING, nullptr, "the run's name for people, which loggers show")
          .takes("a name of one line", trainer_rules::line)
          .sets(&Plan::run_name),
      any("tags", nullptr, "words that loggers show with the run: a,b or [\"a\", \"b\"]")
          .takes("a list of words", trainer_rules::tags)
          .is_list()
          .sets(&Plan::tags),
      Row(float_option("logger_timeout", 60.0, 0,
                       "seconds that loggers on threads of their own get at the end of a run for what they have not "
                       "written yet"))
          .sets(&Plan::logger_timeout),
      of_type("default_root_dir", LEVIN_T_PATH, nullptr, "folder in which run folders are made; null: the current one")
          .null_means(".")
          .sets(&Plan::default_root_dir)};
}

Table gradient_rows() {
  Row clip_val(float_option("gradient_clip_val", nullptr, -infinity,
                            "clip gradients to this before each step; null, 0 or less: do not"));
  return {any("accumulate_grad_batches", 1,
              "batches whose gradients are summed up for one step; {\"0\": 1, \"4\": 2}: by epoch")
              .takes("an int >= 1, or an object of such by the epoch (0-based) from which they hold",
                     trainer_rules::accumulation)
              .sets(&Plan::accumulate_grad_batches),
          flag("accumulate_exact", false,
               "divide a short last window by its own number of batches, not by accumulate_grad_batches")
              .sets(&Plan::accumulate_exact),
          clip_val.sets(set_clip_val),
          choice("gradient_clip_algorithm", nullptr, names_of<GradientClipAlgorithm>(),
                 "clip the norm of all gradients or each value; null: norm")
              .sets(&Plan::gradient_clip_algorithm)};
}

Table computation_rows() {
  return {any("precision", nullptr,
              "type of numbers; null: 32-true; 16 and bf16 stand for the mixed ones, 32 and 64 for the true")
              .takes("one of: " + join(trainer_rules::precision_names(), ", "), trainer_rules::precision)
              .refuses({"transformer-engine", "transformer-engine-float16"},
                       "there is no Transformer Engine; use bf16-mixed or 16-mixed")
              .null_means("32-true")
              .sets(&Plan::precision),
          whole("truncated_bptt_steps", nullptr, 0,
                "cut batches along their second dimension into splits of so many steps in time; null or 0: do not")
              .sets(&Plan::truncated_bptt_steps),
          any("track_grad_norm", nullptr,
              "log this norm of each parameter's gradient and of all; 'inf' or a number; null: do not")
              .takes("a number > 0 or 'inf'", trainer_rules::norm)
              .sets(&Plan::track_grad_norm),
          flag("move_metrics_to_cpu", false,
               "read logged values off the device at once (waits for it); false: when somebody asks for them")
              .sets(&Plan::move_metrics_to_cpu),
          choice("non_finite", "stop", names_of<NonFinite>(),
                 "when a loss or a gradient is NaN or infinite, no weight changes, and the run stops (code 6), leaves "
                 "the step out, or goes back to its last checkpoint; ignore: nobody looks")
              .sets(&Plan::non_finite),
          flag("terminate_on_nan", false,
               "fail when the loss or a parameter is not finite after a batch (waits for the device)")
              .sets(&Plan::terminate_on_nan),
          flag("detect_anomaly", false, "find the operation that made a NaN (slow)").sets(&Plan::detect_anomaly)};
}

Table machine_rows() {
  return {
      choice("accelerator", "auto", names_of<Accelerator>(), "where to run; auto: a GPU if there is one")
          .sets(&Plan::accelerator),
      any("devices", "auto", "how many devices (1), or which ([0] or '0,')")
          .takes("auto, an int >= 1, or a list of device numbers", trainer_rules::devices)
          .sets(&Plan::devices),
      whole("num_nodes", 1, 1, "machines, with as many processes each as devices says").sets(&Plan::num_nodes),
      choice(
          "strategy", "auto", names_of<StrategyType>(),
          "how devices and processes work together; auto: ddp if there are several processes; dp: an instance of the "
          "model on each device of one process; model_parallel: the model places its own parts on its process's "
          "devices")
          .refuses({"ddp_spawn", "ddp_fork", "ddp_notebook"}, "processes are started, not forked; use ddp")
          .refuses({"fsdp", "deepspeed"},
                   "parameters are not shared out over processes; use zero1, which shares out the state of optimizers")
          .sets(&Plan::strategy),
      whole("output_device", nullptr, 0,
            "of strategy dp: the device on which losses and outputs are gathered, one of devices; null: the first")
          .sets(&Plan::output_device),
      whole("devices_per_process", nullptr, 1,
            "of strategy model_parallel: how many of a machine's devices a process has; null: all of them")
          .sets(&Plan::devices_per_process),
      flag("sync_batchnorm", false, "batch statistics over all processes").sets(&Plan::sync_batchnorm),
      flag("use_distributed_sampler", true, "share rows out over the processes, where there are several")
          .sets(&Plan::use_distributed_sampler),
      flag("pad_evaluation", false, "validate and test some rows twice, so that all processes have as many")
          .sets(&Plan::pad_evaluation),
      whole("num_threads", nullptr, 1, "CPU threads of the computation; null: every CPU this process may use", 1024),
      flag("inference_mode", true, "evaluate without any trace of gradients").sets(&Plan::inference_mode)};
}

Table process_rows() {
  return {
      flag("prepare_data_per_node", true, "prepare_data runs once on each machine; false: once in all")
          .sets(&Plan::prepare_data_per_node),
      flag("find_unused_parameters", false, "parameters may be without a gradient in a step (costs a message)")
          .sets(&Plan::find_unused_parameters),
      flag("static_graph", false, "the same parameters get gradients in every step: looked at in the first alone")
          .sets(&Plan::static_graph),
      flag("gradient_as_bucket_view", false, "gradients are parts of what is sent, and are not copied back")
          .sets(&Plan::gradient_as_bucket_view),
      Row(float_option("bucket_cap_mb", 25.0, 0.001, "MiB of gradients that are sent together"))
          .sets(&Plan::bucket_cap_mb),
      choice("scale_lr", "none", names_of<LrScaling>(),
             "learning rates times the number of processes, or its square root")
          .sets(&Plan::scale_lr),
      Row(float_option("scale_lr_warmup_epochs", 0.0, 0,
                       "epochs in which steps grow from the unscaled to the scaled rate"))
          .sets(&Plan::scale_lr_warmup_epochs),
      choice("gradient_compression", "none", names_of<GradientCompression>(), "type of gradients on their way")
          .sets(&Plan::gradient_compression),
      choice("process_group_backend", "auto", names_of<ProcessGroupBackend>(),
             "what carries tensors between processes; auto: nccl between GPUs where LibTorch has it, else gloo")
          .refuses({"ucc"}, "gloo, nccl and mpi carry tensors")
          .sets(&Plan::process_group_backend),
      choice("shared_memory", "auto", names_of<SharedMemoryUse>(),
             "reductions on one machine go through memory that its processes share; auto: where that is faster, by a "
             "measurement at the start, or everywhere with trainer.deterministic")
          .sets(&Plan::shared_memory),
      Row(float_option("process_group_timeout", 1800.0, 1, "seconds that processes wait for each other"))
          .sets(&Plan::process_group_timeout),
      of_type("init_method", LEVIN_T_STRING, "env://",
              "where the processes meet: env:// (what the launcher says), tcp://HOST:PORT or file:///PATH")
          .sets(&Plan::init_method),
      of_type("interface", LEVIN_T_STRING, nullptr,
              "network interface on which the processes listen, such as eth0; null: the one on the way to the first "
              "process")
          .sets(&Plan::interface)};
}

Table debugging_rows() {
  return {
      any("seed_everything", true, "seed of all random numbers; true: 0; false: another one in each run")
          .takes("true, false or an int in [0, 4294967295]", trainer_rules::seed)
          .sets(set_seed),
      any("deterministic", nullptr, "only deterministic operations; 'warn': say where there is none")
          .takes("true, false or 'warn'", trainer_rules::bool_or_warn)
          .null_means(false)
          .sets(set_deterministic),
      flag_or_null("benchmark", "let cuDNN measure which of its algorithms is fastest").sets(&Plan::benchmark),
      Row(float_option("hang_warning", nullptr, 0,
                       "seconds after which a call of a plugin is said to hang, and after Ctrl-C or SIGTERM ends the "
                       "run; 0: never; null: 60, and 20 after a signal"))
          .sets(&Plan::hang_warning),
      flag(
          "requeue", false,
          "in a SLURM job: after SIGUSR1, and before the job's time is over, save and put the job back into the queue; "
          "started again it goes on")
          .sets(&Plan::requeue),
      whole("max_restarts", 0, 0,
            "how often the host starts its processes again from the last checkpoint when one of them is lost"),
      flag("barebones", false, "nothing but training, to measure its speed").sets(&Plan::barebones),
      whole("reload_dataloaders_every_n_epochs", 0, 0, "make the loaders anew every n epochs; 0: never")
          .sets(&Plan::reload_dataloaders_every_n_epochs),
      choice("multiple_trainloader_mode", "max_size_cycle", names_of<CombinedMode>(),
             "several train loaders: together until the longest ends (shorter ones again, or nothing) or the shortest, "
             "or one after another")
          .sets(&Plan::multiple_trainloader_mode),
      choice("profiler", nullptr, names_of<ProfilerKind>(),
             "where the time goes: a table by plugin and call, and, advanced, a trace for Chrome")
          .refuses({"pytorch", "xla"}, "there are simple and advanced")
          .sets(&Plan::profiler)};
}

Table trainer_table() {
  Table table;
  const auto add = [&table](const char* group, const Table& rows) {
    for (const TrainerOption& row : rows) table.emplace_back(row).group = group;
  };
  add("Duration", duration_rows());
  add("Limits", limit_rows());
  add("Validation and logging", validation_and_logging_rows());
  add("Optimization", gradient_rows());
  add("Optimization", computation_rows());
  add("Machine", machine_rows());
  add("Several processes", process_rows());
  add("Reproducibility and debugging", debugging_rows());
  return table;
}

}  // namespace

const std::vector<TrainerOption>& trainer_options() {
  static const Table table = trainer_table();
  return table;
}

}  // namespace levin::core
