// The output of a run on terminals of several widths.
#include <algorithm>
#include <functional>

#include "core/base/text.hpp"
#include "host_process/sandbox.hpp"
#include "host_process/screen.hpp"

namespace screen_test {
using levin::core::starts_with;

namespace {

const Variables xterm = {{"NO_COLOR", {}}, {"TERM", "xterm"}};
const std::string small_fit =
    "fit --model cnn --data synthetic --data.size 16 --data.rows 256 --data.val_rows 64 --data.test_rows 64 "
    "--batch_size 32 --max_epochs 3 --callback.progress_bar.refresh_interval 0 ";

Seen seen_of(const Sandbox& sandbox, const std::string& words, unsigned short columns,
             const Variables& environment = xterm, const std::vector<Typed>& typed = {}) {
  Program program = sandbox.script("ulimit -c 0 && exec " LEVIN_TEST_HOST " " + words);
  for (const auto& [name, value] : environment) program.variables[name] = value;
  return on_terminal(std::move(program), columns, typed);
}

bool any(const std::vector<std::string>& lines, const std::function<bool(const std::string&)>& is) {
  return std::any_of(lines.begin(), lines.end(), is);
}

bool has(const std::string& line, const std::string& part) { return line.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("each epoch leaves a line with its metrics, counted from 1, on a terminal and in a file") {
  const Sandbox sandbox;
  const Outcome file = sandbox.host(small_fit);
  REQUIRE(file.code == 0);
  const auto of_file = starting(levin::core::split(file.out, '\n'), "Epoch ");
  for (const unsigned short columns : {40, 80, 200}) {
    const Seen seen = seen_of(sandbox, small_fit, columns);
    CHECK(seen.code == 0);
    const auto epochs = starting(seen.lines, "Epoch ");
    REQUIRE(epochs.size() == 3);
    REQUIRE(of_file.size() == 3);
    for (size_t i = 0; i < 3; ++i) {
      const std::string head = "Epoch " + std::to_string(i + 1) + "/3: ";
      CHECK(starts_with(epochs[i], head));
      CHECK(starts_with(of_file[i], head));
      CHECK_THAT(of_file[i], ContainsSubstring(" in 0:0") && ContainsSubstring(", train_loss ") &&
                                 ContainsSubstring(", val_loss ") && ContainsSubstring(", val_acc "));
    }
    CHECK(any(seen.lines, [](const std::string& line) { return has(line, "val_acc "); }));
  }
}

TEST_CASE("the bar fits the terminal; 80 columns have room for it and the metrics of the validation") {
  const Sandbox sandbox;
  for (const unsigned short columns : {40, 80, 200}) {
    const Seen seen = seen_of(sandbox, small_fit, columns);
    size_t bars = 0;
    for (const std::string& line : seen.drawn) bars += starts_with(line, "Epoch ") && has(line, "━");
    CHECK(bars > 3);
    const auto is_whole = [](const std::string& line) {
      return has(line, "━") && has(line, " val_loss ") && has(line, " val_acc ");
    };
    CHECK(any(seen.drawn, is_whole) == (columns >= 80));
    const auto is_cut = [columns](const std::string& line) { return has(line, "Epoch") && line.size() > 3u * columns; };
    CHECK_FALSE(any(seen.drawn, is_cut));
  }
}

TEST_CASE("a dumb terminal gets neither colours nor cursor movements, NO_COLOR no colours") {
  const Sandbox sandbox;
  const std::string warns =
      "fit --model mlp --data synthetic --trainer.limit_train_batches 2 --max_epochs 2 "
      "--trainer.limit_val_batches 0 --trainer.num_sanity_val_steps 0 ";
  const std::string colour = "\x1b[3";
  const Seen plain = seen_of(sandbox, warns, 80, {{"NO_COLOR", {}}, {"TERM", "dumb"}});
  CHECK(plain.code == 0);
  CHECK_THAT(plain.bytes, !ContainsSubstring("\x1b"));
  CHECK(starting(plain.lines, "Epoch ").size() == 2);
  const Seen no_colour = seen_of(sandbox, warns, 80, {{"NO_COLOR", "1"}, {"TERM", "xterm"}});
  CHECK_THAT(no_colour.bytes, !ContainsSubstring(colour) && ContainsSubstring("\x1b[2K"));
  CHECK_THAT(seen_of(sandbox, warns, 80).bytes, ContainsSubstring(colour));
}

TEST_CASE("the tables and the help fit a narrow terminal") {
  const Sandbox sandbox;
  for (const char* words : {"help", "help trainer", "help submit", "help mlp", "plugins"}) {
    const Seen seen = seen_of(sandbox, words, 40, {{"NO_COLOR", {}}, {"TERM", "xterm"}, {"PAGER", "cat"}});
    INFO(words << "\n" << seen.text());
    CHECK(seen.code == 0);
    CHECK(seen.lines.size() > 5);
    size_t broken = 0;  // a path or an option name may be longer than the line
    for (const std::string& line : seen.lines) broken += line.size() >= 40 && !has(line, " ");
    CHECK(broken <= 6);
  }
  const Seen fit = seen_of(sandbox, small_fit, 40);
  for (const char* cell : {"  | Name", "Params size (MB)", "Trainable params"})
    CHECK(any(fit.lines, [cell](const std::string& line) { return has(line, cell); }));
}

TEST_CASE("a fit ends with its best checkpoint, the place of the curves and the next command, which work") {
  const Sandbox sandbox;
  const Seen seen = seen_of(sandbox, small_fit, 200);
  REQUIRE(seen.code == 0);
  const auto line_after = [&seen](const std::string& head) {
    const auto found = starting(seen.lines, "host: info: " + head);
    return found.size() == 1 ? found[0].substr(head.size() + std::string("host: info: ").size()) : "";
  };
  const std::string run = "levin_logs/version_0", best = line_after("best checkpoint: ");
  CHECK(starts_with(best, run + "/checkpoints/"));
  CHECK_THAT(best, ContainsSubstring(".ckpt (val_loss "));
  const std::string test = line_after("test it with: host ");
  CHECK(test == "test --ckpt_path " + best.substr(0, best.find(' ')));
  CHECK_THAT(seen.text(), ContainsSubstring("tensorboard --logdir " + run) && ContainsSubstring(run + "/metrics.csv"));
  CHECK(sandbox.host(test).code == 0);
  const Outcome both = sandbox.host("--model mlp --data synthetic --max_epochs 1");
  CHECK_THAT(both.err,
             ContainsSubstring("export its weights with: host export levin_logs/version_2 --format safetensors\n"));
  CHECK(sandbox.host("export levin_logs/version_2 --format safetensors").code == 0);
}

namespace {

// Each batch takes 0.7 s.
const std::string slow_fit = "fit --plugins " LEVIN_TEST_PLUGINS
                             " --data rows --data.batch_size 1 --model plain --model.do rest --model.at training_step "
                             "--max_epochs 50 --logger false --callback early_stopping=false ";

}  // namespace

TEST_CASE("Ctrl-C stops after the batch and saves, which is no warning; the run counts as interrupted") {
  const Sandbox sandbox;
  const Seen seen = seen_of(sandbox, slow_fit, 200, xterm, {{" 1/4 ", "\x03"}});
  CHECK(seen.code == 130);
  CHECK(starting(seen.lines, "host: info: Stopping after this batch. Press Ctrl-C again to quit now without saving.")
            .size() == 1);
  CHECK(starting(seen.lines, "Epoch 1/50: ").size() == 1);
  CHECK(starting(seen.lines, "host: info: saved ").size() == 1);
  CHECK_THAT(sandbox.host("runs").out, ContainsSubstring("interrupted"));
}

TEST_CASE("a second Ctrl-C quits at once with the code of Ctrl-C; that run counts as interrupted too") {
  const Sandbox sandbox;
  const Seen seen = seen_of(sandbox, slow_fit, 200, xterm, {{" 1/4 ", "\x03"}, {"Press Ctrl-C again", "\x03"}});
  CHECK(seen.code == 130);
  CHECK_THAT(seen.text(), ContainsSubstring("host: error[E7501]: interrupted twice: quits now without saving"));
  CHECK(starting(seen.lines, "host: info: saved ").empty());
  const Outcome runs = sandbox.host("runs");
  CHECK_THAT(runs.out, ContainsSubstring("interrupted") && !ContainsSubstring("failed"));
}

TEST_CASE("a stop before anything was saved says so, and leaves no folder") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.bare("fit", "--model plain --data.do interrupt --data.at setup");
  CHECK(outcome.code == 130);
  CHECK_THAT(outcome.err, ContainsSubstring("host: info: nothing was saved: the fit had not begun\n"));
  CHECK_FALSE(std::filesystem::exists(sandbox.run()));
}

TEST_CASE("the list of runs fits the terminal") {
  const Sandbox sandbox;
  REQUIRE(sandbox.host(small_fit).code == 0);
  for (const unsigned short columns : {40, 80, 200}) {
    const Seen seen = seen_of(sandbox, "runs", columns);
    INFO(seen.text());
    CHECK_FALSE(seen.wrapped);
    CHECK(starting(seen.lines, "version_0  done").size() == 1);
    CHECK_THAT(seen.text(), ContainsSubstring("best val_loss"));
  }
}

}  // namespace screen_test
