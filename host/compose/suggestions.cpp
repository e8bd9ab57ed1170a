#include "host/compose/suggestions.hpp"

#include <algorithm>

#include "core/base/did_you_mean.hpp"
#include "core/base/text.hpp"

namespace levin::core {
namespace {

using Names = std::vector<std::string>;
using Table = std::vector<Names>;

// Each row lists synonyms. The first one that exists is suggested.
const Table& option_table() {
  static const Table table = {
      {"lr", "learning_rate", "learningrate", "base_lr", "init_lr", "step_size"},
      {"batch_size", "bs", "batchsize", "train_batch_size", "per_device_train_batch_size", "mini_batch_size"},
      {"eval_batch_size", "val_batch_size", "test_batch_size", "valid_batch_size", "per_device_eval_batch_size"},
      {"max_epochs", "epochs", "epoch", "num_epochs", "n_epochs", "nepochs", "nb_epochs", "num_train_epochs"},
      {"max_steps", "steps", "num_steps", "iterations", "iters", "max_iter", "max_iters", "total_steps"},
      {"max_time", "time_limit", "timeout"},
      {"seed_everything", "seed", "random_seed", "manual_seed", "rng_seed"},
      {"num_workers", "workers", "n_workers", "nworkers"},
      {"num_threads", "threads", "n_threads", "nthreads", "cpus"},
      {"weight_decay", "wd", "l2", "decay"},
      {"optimizer", "optim", "opt", "solver"},
      {"scheduler", "lr_scheduler", "lr_schedule", "sched"},
      {"loss", "criterion", "loss_fn", "loss_function", "objective"},
      {"dropout", "drop_rate", "dropout_rate", "drop_prob"},
      {"hidden", "hidden_size", "hidden_dim", "hidden_units", "width"},
      {"depth", "num_layers", "n_layers", "layers"},
      {"gradient_clip_val", "clip", "grad_clip", "clip_grad", "clip_grad_norm", "clip_norm", "max_grad_norm"},
      {"accumulate_grad_batches", "accum", "grad_accum", "gradient_accumulation", "gradient_accumulation_steps",
       "accumulation_steps", "accum_iter"},
      {"accelerator", "device", "cpu", "gpu", "cuda", "no_cuda", "use_gpu"},
      {"precision", "amp", "fp16", "bf16", "half", "dtype", "mixed_precision"},
      {"fast_dev_run", "dry_run", "smoke_test", "debug"},
      {"ckpt_path", "resume", "checkpoint", "ckpt", "load", "load_from", "weights", "pretrained"},
      {"default_root_dir", "log_dir", "logdir", "output_dir", "out_dir", "outdir", "output", "save_dir", "work_dir",
       "workdir"},
      {"run_name", "name", "exp_name", "experiment_name"},
      {"log_name", "project"},
      {"val_fraction", "val_split", "validation_split", "val_size"},
      {"test_fraction", "test_split", "test_size"},
      {"log_every_n_steps", "log_interval", "log_every", "log_freq", "print_freq", "logging_steps"},
      {"check_val_every_n_epoch", "val_every", "eval_every", "val_interval", "eval_interval", "eval_freq"},
      {"file", "dir", "data_file", "data_dir", "data_path", "dataset_dir", "data_root", "root", "path", "folder"},
      {"model", "net", "network", "arch", "architecture"},
      {"data", "dataset", "datamodule", "data_module"},
      {"logger", "log", "log_to", "report_to"},
      {"config", "cfg", "conf", "config_file"},
      {"plugins", "plugin", "plugin_dir", "plugin_path"},
      {"verbose", "verbosity", "loud"},
      {"quiet", "silent", "no_progress"},
  };
  return table;
}

const Table& command_table() {
  static const Table table = {
      {"fit", "train", "training", "run", "start"},
      {"validate", "eval", "evaluate", "val", "valid"},
      {"test", "eval", "evaluate"},
      {"predict", "infer", "inference", "pred"},
      {"tune", "find_lr", "lr_find"},
      {"resume", "continue", "restart", "go_on"},
      {"plugins", "list", "ls"},
      {"inspect", "info", "show", "describe"},
      {"check", "verify", "lint"},
      {"doctor", "diagnose", "env", "status"},
      {"help", "man", "usage"},
  };
  return table;
}

bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Names suggestions_of(const std::string& name, const Table& table, const Names& known) {
  Names out;
  for (const Names& row : table) {
    if (!has(row, name)) continue;
    const auto first = std::find_if(row.begin(), row.end(), [&](const auto& other) { return has(known, other); });
    if (first != row.end() && !has(out, *first)) out.push_back(*first);
  }
  return out;
}

Names meant(const std::string& name, const Table& table, const Names& known) {
  std::string plain = lower(name);
  std::replace(plain.begin(), plain.end(), '-', '_');
  const Names suggestions = suggestions_of(plain, table, known);
  if (!suggestions.empty()) return suggestions;
  Names others;  // perhaps it is a misspelt synonym
  for (const Names& row : table) others.insert(others.end(), row.begin(), row.end());
  const auto near = nearest(name, known), synonym = nearest(name, others);
  if (near && (!synonym || edit_distance(name, *synonym) > edit_distance(name, *near))) return {*near};
  Names out = synonym ? suggestions_of(*synonym, table, known) : Names{};
  if (near && !has(out, *near)) out.push_back(*near);
  return out;
}

std::string question_or_list(const Names& meant, const std::string& name, const Names& known, size_t list_up_to) {
  return meant.empty() ? did_you_mean(name, known, list_up_to) : did_you_mean_one_of(meant);
}

}  // namespace

Names meant_options(const std::string& name, const Names& known) { return meant(name, option_table(), known); }
Names meant_commands(const std::string& name, const Names& known) { return meant(name, command_table(), known); }

std::string did_you_mean_option(const std::string& name, const Names& known, size_t list_up_to) {
  return question_or_list(meant_options(name, known), name, known, list_up_to);
}

std::string did_you_mean_command(const std::string& name, const Names& known, size_t list_up_to) {
  return question_or_list(meant_commands(name, known), name, known, list_up_to);
}

}  // namespace levin::core
