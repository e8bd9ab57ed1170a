// A run that is killed right after any of its checkpoints, and resumed from it, ends like the uninterrupted run: the
// same logger rows, the same checkpoints under the same names, with the same callback states.
#include <ATen/Parallel.h>

#include "core/trainer/trainer.hpp"

#include <algorithm>
#include <cstdlib>

#include "catch.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "host_process/sandbox.hpp"
#include "run_rows.hpp"

namespace fs = std::filesystem;
using namespace levin::core;

namespace {

const std::string net =
    "--data rows --data.train 14 --data.batch_size 3 --data.val [5] --trainer.max_epochs 3 --model.momentum 0.9 "
    "--model.dropout 0.3 --model.log true --model.metric true ";
const std::string plain = net + "--model plain ";
const std::string turns = "--model turns --model.rows 5 --trainer.max_epochs 3 --trainer.limit_val_batches 0 ";
const std::string each_step =
    "--callback.model_checkpoint.every_n_train_steps 1 --callback.model_checkpoint.save_last false ";
const std::string by_validation = "--callback.model_checkpoint.monitor validation_step_loss ";

struct Case {
  const char* name;
  std::string words;
  size_t least;  // minimum number of checkpoints to resume from
};

const Case cases[] = {
    {"the newest of each epoch, and last", plain + "--callback.model_checkpoint.save_last true", 6},
    {"the best two and last",
     plain + by_validation + "--callback.model_checkpoint.save_top_k 2 --callback.model_checkpoint.save_last true", 4},
    {"all steps", plain + each_step + "--callback.model_checkpoint.save_top_k -1", 15},
    {"accumulation and validations in a window",
     plain + "--trainer.accumulate_grad_batches 2 --trainer.val_check_interval 3 " + by_validation +
         "--callback.model_checkpoint.save_top_k -1 --callback.model_checkpoint.filename "
         "{epoch}-{validation_step_loss}",
     3},
    {"two validations in an epoch, by a fraction",
     plain + "--trainer.val_check_interval 0.5 " + by_validation + "--callback.model_checkpoint.save_top_k 3", 3},
    {"within validations of two loaders",
     plain + "--data.val [5,4] --trainer.val_check_interval 2 --callback.folder_keeper.within_validation true "
             "--model.noise true "
             "--callback.model_checkpoint.monitor validation_step_loss/dataloader_idx_0",
     9},
    {"a plateau, every second step, last as a link",
     plain + "--model.scheduler plateau --callback.model_checkpoint.every_n_train_steps 2 "
             "--callback.model_checkpoint.save_last link --callback.model_checkpoint.save_top_k 3 "
             "--callback.model_checkpoint.monitor training_step_loss",
     4},
    {"schedules by step, one name with versions",
     plain + each_step +
         "--model.scheduler step --callback.model_checkpoint.filename one --callback.model_checkpoint.save_top_k 4 "
         "--callback.model_checkpoint.monitor training_step_loss",
     8},
    {"manual optimization", net + "--model scripted_manual --model.optimizers 2 " + each_step, 15},
    {"two optimizers", turns + each_step, 15},
    {"truncated back-propagation",
     "--model recurrent --model.rows 4 --model.steps 7 --trainer.truncated_bptt_steps 3 --trainer.max_epochs 2 "
     "--trainer.limit_val_batches 0 " +
         each_step,
     8},
    {"a stream",
     "--data stream --data.batch_size 2 --model plain --model.log true --trainer.max_epochs 2 "
     "--trainer.limit_val_batches 0 " +
         each_step,
     6},
    {"averaged weights",
     plain + "--callback ema=weight_averaging --callback.model_checkpoint.save_last true " + by_validation, 4},
    {"early stopping",
     plain +
         "--trainer.max_epochs 8 --model.lr 3 --callback early_stopping --callback.early_stopping.monitor "
         "validation_step_loss --callback.early_stopping.patience 1 " +
         by_validation + "--callback.model_checkpoint.save_last always",
     3},
    {"limits, a validation every second epoch",
     plain +
         "--trainer.limit_train_batches 3 --trainer.limit_val_batches 1 --trainer.check_val_every_n_epoch 2 "
         "--trainer.max_epochs 4 " +
         each_step + "--callback.model_checkpoint.save_top_k -1",
     12},
    {"worker threads and fewer rows",
     plain + "--data.num_workers 2 --trainer.log_every_n_steps 3 --callback lr=learning_rate_monitor " + each_step, 15},
    {"max_steps within an epoch, two callbacks of one folder",
     plain +
         "--trainer.max_steps 8 --callback second=model_checkpoint --callback.second.every_n_train_steps 3 "
         "--callback.second.async_save off " +
         by_validation,
     3},
    {"rates of a throughput monitor",
     plain + "--callback throughput_monitor --callback.throughput_monitor.window_size 3 " + each_step, 15},
};

// Resumes the run in the folder. Returns "" on success, else its output.
std::string go_on(const fs::path& folder) {
  const std::string file = (folder / "config.json").string();
  RunConfig config = run_config_from_json(parse_json(read_file(file), file), file);
  config.resume = folder.string();
  std::string said;
  Console console([&](int32_t, const std::string& line) { said += line + "\n"; });
  try {
    return Trainer(config, console).run() == 0 ? "" : said;
  } catch (const Error& e) {
    return e.what();
  }
}

// Returns the words, keeping only the last of repeated options, so that a case can override a common one. Saves are
// synchronous because the folder is copied after each.
std::string words_of(const Case& c) {
  std::vector<std::pair<std::string, std::string>> options;
  const auto words = split("--trainer.log_every_n_steps 1 --callback.model_checkpoint.async_save off " + c.words, ' ');
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i].substr(0, 2) != "--") continue;
    const auto same = [&](const auto& option) {
      return option.first == words[i] && words[i].find('.') != std::string::npos;
    };
    options.erase(std::remove_if(options.begin(), options.end(), same), options.end());
    options.emplace_back(words[i], words[i + 1]);
  }
  std::string out;
  for (const auto& [name, value] : options) out += name + " " + value + " ";
  return out;
}

size_t kept_in(const fs::path& folder) {
  size_t n = 0;
  while (fs::exists(folder / std::to_string(n))) ++n;
  return n;
}

}  // namespace

TEST_CASE("a run that goes on from any of its checkpoints ends as if it had never ended") {
  at::set_num_threads(1);
  const char* only = std::getenv("LEVIN_TEST_CASE");
  for (const Case& c : cases) {
    if (only && std::string(c.name).find(only) == std::string::npos) continue;
    INFO(c.name);
    const Sandbox sandbox;
    const fs::path run = sandbox.run(), whole = sandbox.folder() / "whole", kept = sandbox.folder() / "kept";
    const Outcome first = sandbox.host(
        "fit --plugins " LEVIN_TEST_PLUGINS
        " --callback model_summary=false --callback progress_bar=false "
        "--callback results_table=false --logger csv --logger tensorboard --logger jsonl "
        "--callback folder_keeper --callback model_checkpoint --trainer.num_sanity_val_steps 1 " +
            std::string(c.words.find("early_stopping") == std::string::npos ? "--callback early_stopping=false " : "") +
            words_of(c),
        "ulimit -c 0 && export LEVIN_TEST_KEPT=" + kept.string());
    REQUIRE(first.code == 0);
    fs::rename(run, whole);
    const size_t n = kept_in(kept);
    CHECK(n >= c.least);
    for (size_t i = 0; i < n; ++i) {
      fs::rename(kept / std::to_string(i), run);
      INFO("from checkpoint " << i << " of " << n);
      CHECK(go_on(run) == "");
      CHECK(difference_of_runs(whole, run) == "");
      fs::remove_all(run);
    }
  }
}
