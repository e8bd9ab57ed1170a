// The table of the Trainer's options: type, default, help, rule, and the member of RunPlan.
#include <limits>
#include <tuple>

#include "core/base/text.hpp"
#include "core/config/option.hpp"
#include "core/config/trainer/plan_values.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "core/config/trainer/trainer_rules.hpp"

namespace levin::core {
namespace {

using nlohmann::json;
using Plan = RunPlan;
using Table = std::vector<TrainerOption>;
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Group>
Group& group_of(RunPlan& p) {
  const auto groups = std::tie(p.duration, p.limits, p.validation, p.logging, p.names, p.optimization, p.numerics,
                               p.machine, p.processes, p.data, p.supervision);
  return std::get<Group&>(groups);
}

// Builds one row of the table by chained calls.
class Row {
 public:
  // If the default is null, null is an accepted value.
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
  // Words that a value with a rule of its own may be, for completion.
  Row& words(std::vector<std::string> words) {
    option_.schema.choices = std::move(words);
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
  Row& refuses(const std::vector<std::string>& values, const char* reason) {
    for (const auto& value : values) option_.refused[value] = reason;
    return *this;
  }
  template <class T, class Group>
  Row& sets(T Group::*member) {
    return sets([member](RunPlan& plan, const json& value) { assign(group_of<Group>(plan).*member, value); });
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

// null sets 1000 epochs. make_run_plan() changes that to -1 if max_steps or max_time limits the run.
void set_max_epochs(RunPlan& plan, const json& value) {
  plan.duration.max_epochs = value.is_null() ? 1000 : value.get<int64_t>();
}

void set_clip_val(RunPlan& plan, const json& value) {
  assign(plan.optimization.gradient_clip_val, value);
  if (plan.optimization.gradient_clip_val == 0.0)
    plan.optimization.gradient_clip_val.reset();  // 0 switches clipping off, as in Lightning 1.x
}

void set_deterministic(RunPlan& plan, const json& value) {
  plan.numerics.deterministic_warn = value.is_string();
  plan.numerics.deterministic = plan.numerics.deterministic_warn || value == true;
}

void set_seed(RunPlan& plan, const json& value) {
  plan.numerics.seed = value.is_number() ? std::optional<uint64_t>(value.get<uint64_t>()) : std::nullopt;
}

Table duration_rows() {
  return {
      whole("max_epochs", nullptr, -1,
            "maximum number of epochs; -1 = no limit, null = 1000 unless max_steps or max_time is set")
          .sets(set_max_epochs),
      whole("min_epochs", nullptr, 0, "minimum number of epochs, even if early stopping triggers")
          .sets(&Plan::Duration::min_epochs),
      whole("max_steps", -1, -1, "maximum number of optimizer steps; -1 = no limit")
          .null_means(-1)
          .sets(&Plan::Duration::max_steps),
      whole("min_steps", nullptr, 0, "minimum number of optimizer steps, even if early stopping triggers")
          .sets(&Plan::Duration::min_steps),
      any("fast_dev_run", false, "run N batches of each stage for one epoch, without logs and checkpoints; true = 1")
          .takes("true, false or an int >= 0", trainer_rules::bool_or_count)
          .sets(&Plan::Duration::fast_dev_run)};
}

Table limit_rows() {
  Row overfit = limit("overfit_batches", "train and validate on the same N batches, in a fixed order; 0 = off");
  overfit.sets(&Plan::Limits::overfit_batches);
  TrainerOption overfit_batches = overfit;
  overfit_batches.schema.deflt = 0.0;  // null means all batches, as in Lightning
  return {limit("limit_train_batches", "training batches in an epoch: a count (10) or a fraction (0.5); 1.0 = all")
              .sets(&Plan::Limits::train),
          limit("limit_val_batches", "validation batches of each loader; 0 = no validation").sets(&Plan::Limits::val),
          limit("limit_test_batches", "test batches of each loader").sets(&Plan::Limits::test),
          limit("limit_predict_batches", "prediction batches of each loader").sets(&Plan::Limits::predict),
          overfit_batches};
}

Table validation_and_logging_rows() {
  return {
      any("val_check_interval", nullptr,
          "validate every N batches (100), fraction of an epoch (0.25) or time (00:01:00:00)")
          .takes("an int >= 0 (batches), a fraction in [0.0, 1.0] or a time DD:HH:MM:SS", trainer_rules::check_interval)
          .null_means(1.0)
          .sets(&Plan::Validation::val_check_interval),
      whole("check_val_every_n_epoch", 1, 1,
            "validate every N epochs; null = val_check_interval counts batches across epochs")
          .or_null()
          .sets(&Plan::Validation::check_val_every_n_epoch),
      whole("num_sanity_val_steps", nullptr, -1,
            "validation batches run before training to find mistakes early; -1 = all, null = 2")
          .null_means(2)
          .sets(&Plan::Validation::num_sanity_val_steps),
      whole("log_every_n_steps", nullptr, 0, "log step metrics every N steps; 0 = never, null = 50")
          .null_means(50)
          .sets(&Plan::Logging::log_every_n_steps),
      whole("flush_logs_every_n_steps", nullptr, 1, "flush loggers every N optimizer steps; null = each logger decides")
          .sets(&Plan::Logging::flush_logs_every_n_steps),
      flag_or_null("logger", "false = no logger").null_means(true),
      flag("enable_autolog_hparams", true, "log the options of the run as hyperparameters")
          .sets(&Plan::Logging::enable_autolog_hparams),
      of_type("log_name", LEVIN_T_STRING, "levin_logs", "folder in default_root_dir that holds the run folders")
          .takes("the name of a folder below default_root_dir, without '..'", trainer_rules::folder_name)
          .sets(&Plan::Names::log_name),
      any("log_version", nullptr, "version of the run folder: 3 = version_3, null = next free number")
          .takes("an int >= 0 or the name of a folder", trainer_rules::version)
          .sets(&Plan::Names::log_version),
      of_type("run_name", LEVIN_T_STRING, nullptr, "name of the run, shown by loggers")
          .takes("a name of one line", trainer_rules::line)
          .sets(&Plan::Names::run_name),
      any("tags", nullptr, "tags of the run, shown by loggers: a,b or [\"a\", \"b\"]")
          .takes("a list of words", trainer_rules::tags)
          .is_list()
          .sets(&Plan::Names::tags),
      Row(float_option("logger_timeout", 60.0, 0,
                       "seconds that loggers on their own threads get to finish writing at the end of a run"))
          .sets(&Plan::Logging::logger_timeout),
      of_type("default_root_dir", LEVIN_T_PATH, nullptr,
              "folder for log_name and its run folders; null = current folder")
          .null_means(".")
          .sets(&Plan::Names::default_root_dir)};
}

Table gradient_rows() {
  Row clip_val(float_option("gradient_clip_val", nullptr, -infinity,
                            "clip gradients to this value before each optimizer step; null or <= 0 = off"));
  return {
      any("accumulate_grad_batches", 1,
          "accumulate gradients over N batches before each optimizer step; {\"0\": 1, \"4\": 2} sets N from the given "
          "epoch on")
          .takes("an int >= 1, or an object {epoch: int >= 1}, with epochs counted from 0", trainer_rules::accumulation)
          .sets(&Plan::Optimization::accumulate_grad_batches),
      flag("accumulate_exact", false, "average an incomplete last accumulation window over its own number of batches")
          .sets(&Plan::Optimization::accumulate_exact),
      clip_val.sets(set_clip_val),
      choice("gradient_clip_algorithm", nullptr, names_of<GradientClipAlgorithm>(),
             "clip the norm of all gradients or each value; null = norm")
          .sets(&Plan::Optimization::gradient_clip_algorithm)};
}

Table computation_rows() {
  return {
      any("precision", nullptr,
          "numeric precision; null = 32-true, 16 = 16-mixed, bf16 = bf16-mixed, 32 and 64 = 32-true and 64-true")
          .takes("one of: " + join(trainer_rules::precision_names(), ", "), trainer_rules::precision)
          .words(trainer_rules::precision_names())
          .refuses({"transformer-engine", "transformer-engine-float16"},
                   "Transformer Engine is not supported; use bf16-mixed or 16-mixed")
          .null_means("32-true")
          .sets(&Plan::Numerics::precision),
      choice("float32_matmul_precision", nullptr, names_of<MatmulPrecision>(),
             "matrix products of 32-true: highest = float32, high = TF32 on a GPU, medium = bfloat16 where LibTorch "
             "has it; null = LibTorch's default, highest")
          .sets(&Plan::Numerics::float32_matmul_precision),
      whole("truncated_bptt_steps", nullptr, 0,
            "split batches along dimension 1 into windows of N time steps; null or 0 = off")
          .sets(&Plan::Optimization::truncated_bptt_steps),
      any("track_grad_norm", nullptr,
          "log the gradient norm of each parameter and of all: a number or 'inf'; null = off")
          .takes("a number > 0 or 'inf'", trainer_rules::norm)
          .sets(&Plan::Logging::track_grad_norm),
      flag("move_metrics_to_cpu", false, "copy logged values to the CPU at once, which waits for the device")
          .sets(&Plan::Logging::move_metrics_to_cpu),
      choice("non_finite", "stop", names_of<NonFinite>(),
             "what to do when a loss or gradient is NaN or infinite: stop (exit code 6), skip the step, roll_back "
             "to the last checkpoint, or ignore (no check)")
          .sets(&Plan::Numerics::non_finite),
      flag("terminate_on_nan", false,
           "stop when the loss or a parameter is NaN or infinite after a batch; waits for the device")
          .sets(&Plan::Numerics::terminate_on_nan),
      flag("detect_anomaly", false, "find the operation that produced a NaN; slow")
          .sets(&Plan::Numerics::detect_anomaly)};
}

Table machine_rows() {
  return {
      choice("accelerator", "auto", names_of<Accelerator>(), "device type; auto = GPU if there is one, else CPU")
          .sets(&Plan::Machine::accelerator),
      choice(
          "cpu_kernels", "auto", names_of<CpuKernels>(),
          "auto = the host's own kernels where LibTorch's are slow on CPUs (host doctor lists them); off = LibTorch's")
          .sets(&Plan::Machine::cpu_kernels),
      flag("channels_last", false,
           "give training batches of images the memory format channels_last, as x.to(memory_format=...) in Python")
          .sets(&Plan::Machine::channels_last),
      choice("capture", "off", names_of<Capture>(),
             "on = record forward and backward of a training step as a CUDA graph and replay it, for models whose "
             "training_step depends on the batch and the parameters alone")
          .sets(&Plan::Machine::capture),
      any("devices", "auto", "number of devices on each machine (2), or a list of device indices ([0] or '0,')")
          .takes("auto, an int >= 1, or a list of device numbers", trainer_rules::devices)
          .sets(&Plan::Machine::devices),
      whole("num_nodes", 1, 1, "number of machines").sets(&Plan::Machine::num_nodes),
      choice("strategy", "auto", names_of<StrategyType>(),
             "how devices and processes train together; auto = ddp with several processes; dp = one process with a "
             "replica on each device; zero1 = ddp with sharded optimizer states; model_parallel = the model places its "
             "own layers")
          .refuses({"ddp_spawn", "ddp_fork", "ddp_notebook"}, "processes are started, not forked; use ddp")
          .refuses({"fsdp", "deepspeed"},
                   "parameters cannot be sharded over processes; use zero1, which shards the optimizer states")
          .sets(&Plan::Machine::strategy),
      whole("output_device", nullptr, 0, "dp: device on which losses and outputs are gathered; null = first of devices")
          .sets(&Plan::Machine::output_device),
      whole("devices_per_process", nullptr, 1, "model_parallel: devices of each process; null = all of the machine")
          .sets(&Plan::Machine::devices_per_process),
      flag("sync_batchnorm", false, "compute batch norm statistics over all processes")
          .sets(&Plan::Processes::sync_batchnorm),
      flag("use_distributed_sampler", true, "give each process its own part of the rows")
          .sets(&Plan::Processes::use_distributed_sampler),
      flag("pad_evaluation", false,
           "evaluate some rows twice, so that all processes have equally many (as Lightning does)")
          .sets(&Plan::Processes::pad_evaluation),
      whole("num_threads", nullptr, 1, "CPU threads for computation; null = all CPUs that the process may use", 1024),
      flag("inference_mode", true, "use inference mode instead of no_grad for evaluation")
          .sets(&Plan::Numerics::inference_mode)};
}

Table process_rows() {
  return {
      flag("prepare_data_per_node", true, "call prepare_data once on each machine; false = once in the run")
          .sets(&Plan::Processes::prepare_data_per_node),
      flag("find_unused_parameters", false, "allow parameters without a gradient in a step; costs one small all-reduce")
          .sets(&Plan::Processes::find_unused_parameters),
      flag("static_graph", false, "check only in the first step which parameters get gradients")
          .sets(&Plan::Processes::static_graph),
      flag("gradient_as_bucket_view", false, "make gradients views of the all-reduce buckets, which saves a copy")
          .sets(&Plan::Processes::gradient_as_bucket_view),
      Row(float_option("bucket_cap_mb", 25.0, 0.001, "size of an all-reduce bucket of gradients in MiB"))
          .sets(&Plan::Processes::bucket_cap_mb),
      choice("scale_lr", "none", names_of<LrScaling>(),
             "multiply learning rates by the number of processes or its square root")
          .sets(&Plan::Optimization::scale_lr),
      Row(float_option("scale_lr_warmup_epochs", 0.0, 0,
                       "warm-up from the unscaled to the scaled learning rate in epochs"))
          .sets(&Plan::Optimization::scale_lr_warmup_epochs),
      choice("gradient_compression", "none", names_of<GradientCompression>(),
             "data type in which gradients are communicated")
          .sets(&Plan::Processes::gradient_compression),
      choice("process_group_backend", "auto", names_of<ProcessGroupBackend>(),
             "back end of collectives; auto = nccl between GPUs if LibTorch has it, else gloo")
          .refuses({"ucc"}, "use gloo, nccl or mpi")
          .sets(&Plan::Processes::process_group_backend),
      choice("shared_memory", "auto", names_of<SharedMemoryUse>(),
             "reduce through shared memory between the processes of a machine; auto = where a measurement at the start "
             "finds it faster, or everywhere with deterministic")
          .sets(&Plan::Processes::shared_memory),
      Row(float_option("process_group_timeout", 1800.0, 1, "timeout of collectives in seconds"))
          .sets(&Plan::Processes::process_group_timeout),
      of_type("init_method", LEVIN_T_STRING, "env://",
              "rendezvous of the processes: env:// (from the launcher), tcp://HOST:PORT or file:///PATH")
          .sets(&Plan::Processes::init_method),
      of_type("interface", LEVIN_T_STRING, nullptr,
              "network interface on which the processes listen, such as eth0; null = the one that reaches rank 0")
          .sets(&Plan::Processes::interface)};
}

Table debugging_rows() {
  return {
      any("seed_everything", true, "seed of all random number generators; true = 0, false = a new one in each run")
          .takes("true, false or an int in [0, 4294967295]", trainer_rules::seed)
          .sets(set_seed),
      any("deterministic", nullptr, "use deterministic operations only; 'warn' = warn where there is none")
          .takes("true, false or 'warn'", trainer_rules::bool_or_warn)
          .words({"true", "false", "warn"})
          .null_means(false)
          .sets(set_deterministic),
      flag_or_null("benchmark", "let cuDNN benchmark its algorithms and choose the fastest")
          .sets(&Plan::Numerics::benchmark),
      Row(float_option("hang_warning", nullptr, 0,
                       "warn after a plugin call has run for N seconds, and end the run if it was interrupted; 0 = "
                       "never, null = 60, and 20 after a signal"))
          .sets(&Plan::Supervision::hang_warning),
      flag("requeue", false, "SLURM: save and requeue the job before its time limit and after SIGUSR1")
          .sets(&Plan::Supervision::requeue),
      whole("max_restarts", 0, 0, "number of restarts from the last checkpoint after a lost process"),
      flag("barebones", false, "train without callbacks and loggers, to measure speed").sets(&Plan::Logging::barebones),
      whole("reload_dataloaders_every_n_epochs", 0, 0, "recreate the data loaders every N epochs; 0 = never")
          .sets(&Plan::Data::reload_dataloaders_every_n_epochs),
      choice("multiple_trainloader_mode", "max_size_cycle", names_of<CombinedMode>(),
             "how to combine several training loaders: until the longest ends (restarting shorter ones or not), "
             "until the shortest ends, or one after another")
          .sets(&Plan::Data::multiple_trainloader_mode),
      choice("profiler", nullptr, names_of<ProfilerKind>(),
             "measure where time is spent: simple = table by plugin and call, advanced = also a Chrome trace")
          .refuses({"pytorch", "xla"}, "use simple or advanced")
          .sets(&Plan::Supervision::profiler)};
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
