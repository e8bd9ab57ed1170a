// --progress dashboard on a terminal.
#include <signal.h>

#include <algorithm>

#include "core/base/text.hpp"
#include "host_process/sandbox.hpp"
#include "host_process/screen.hpp"
#include "sdk/include/levin/util/terminal.hpp"

using namespace levin::core;

namespace {

const std::string enters = "\x1b[?1049h", leaves = "\x1b[?1049l";
const Variables xterm = {{"NO_COLOR", "1"}, {"TERM", "xterm"}};

const std::string scripted_fit = "fit --plugins " LEVIN_TEST_PLUGINS
                                 " --data rows --data.batch_size 1 --model plain --progress dashboard --logger false "
                                 "--callback early_stopping=false ";
const std::string long_fit =
    "fit --model mlp --data synthetic --log_every_n_steps 1 --logger csv --trainer.limit_train_batches 20 "
    "--progress dashboard --callback early_stopping=false ";
const std::string fit = long_fit + "--max_epochs 3 ", endless_fit = long_fit + "--max_epochs 100000 ";

Program on_xterm(const Sandbox& sandbox, const std::string& words) {
  Program program = sandbox.script("ulimit -c 0 && exec " LEVIN_TEST_HOST " " + words);
  for (const auto& [name, value] : xterm) program.variables[name] = value;
  return program;
}

Seen seen_of(const Sandbox& sandbox, const std::string& words, unsigned short columns = 80,
             const std::vector<Typed>& typed = {}) {
  return on_terminal(on_xterm(sandbox, words), columns, typed);
}

// What was drawn between the screen's opening and its end: the text of each row, in the order of drawing.
std::vector<std::string> rows_of(const std::string& bytes) {
  std::vector<std::string> out;
  const size_t from = bytes.find(enters), to = bytes.rfind(leaves);
  REQUIRE(from != std::string::npos);
  REQUIRE(to != std::string::npos);
  for (size_t at = bytes.find(";1H", from); at < to; at = bytes.find(";1H", at + 1)) {
    const size_t end = bytes.find("\x1b", at + 3);
    out.push_back(bytes.substr(at + 3, end - at - 3));
  }
  return out;
}

std::string after_screen(const std::string& bytes) {
  const size_t end = bytes.rfind(leaves);
  return end == std::string::npos ? "" : bytes.substr(end + leaves.size());
}

}  // namespace

TEST_CASE("the dashboard fits the terminal, and leaves the output of the run behind") {
  const Sandbox sandbox;
  for (const unsigned short columns : {40, 80, 200, 300}) {
    const Seen seen = seen_of(sandbox, long_fit + "--max_epochs 100 ", columns);
    CHECK(seen.code == 0);
    const auto rows = rows_of(seen.bytes);
    CHECK(rows.size() > 10);
    for (const std::string& row : rows) CHECK(levin::text_columns(row) <= columns);
    CHECK_FALSE(starting(rows, "Epoch ").empty());
    CHECK_FALSE(starting(rows, "q stop and save").empty());
    const std::string rest = after_screen(seen.bytes);
    CHECK_THAT(rest, ContainsSubstring("trained 100 epochs") && !ContainsSubstring("\x1b"));
    CHECK_THAT(seen.bytes, ContainsSubstring("\x1b[?25h"));
  }
}

TEST_CASE("q stops as Ctrl-C does, and both save") {
  for (const char* key : {"q", "\x03"}) {
    const Sandbox sandbox;
    const Seen seen = seen_of(sandbox, endless_fit, 80, {{"Epoch 1", key}});
    CHECK(seen.code == 130);
    CHECK_THAT(after_screen(seen.bytes), ContainsSubstring("resume with: host resume /"));
    CHECK(std::filesystem::exists(sandbox.run() / "checkpoints" / "interrupted.ckpt"));
  }
}

TEST_CASE("s saves a checkpoint that a resume continues; p pauses and continues; q ends a pause") {
  const Sandbox sandbox;
  const Seen seen = seen_of(
      sandbox, endless_fit, 80,
      {{"Epoch 1", "s"}, {"saved checkpoints/saved-epoch=", "p"}, {"PAUSED", "p"}, {"p pause", "p"}, {"PAUSED", "q"}});
  CHECK(seen.code == 130);
  std::vector<std::filesystem::path> saved;
  for (const auto& entry : std::filesystem::directory_iterator(sandbox.run() / "checkpoints"))
    if (starts_with(entry.path().filename().string(), "saved-epoch=")) saved.push_back(entry.path());
  REQUIRE(saved.size() == 1);
  const std::string name = saved[0].stem().string();
  const int64_t step = std::stoll(name.substr(name.rfind('=') + 1));
  const std::string whole =
      "fit --model mlp --data synthetic --logger false --trainer.limit_train_batches 20 "
      "--callback early_stopping=false --max_epochs 100000 --max_steps " +
      std::to_string(step + 30) + " ";
  REQUIRE(sandbox.host(whole).code == 0);
  REQUIRE(sandbox.host(whole + "--ckpt_path " + saved[0].string()).code == 0);
  const auto last = [&](int version) { return (sandbox.run(version) / "checkpoints" / "last.ckpt").string(); };
  const Outcome diff = sandbox.host("ckpt diff " + last(1) + " " + last(2));
  INFO(diff.out);
  CHECK(diff.code == 0);
}

TEST_CASE("signals end a run under the dashboard as one without it") {
  for (const auto& [signal, code] : {std::pair(SIGTERM, 75), std::pair(SIGINT, 130), std::pair(SIGHUP, 75)}) {
    const Sandbox sandbox;
    Program program = on_xterm(sandbox, endless_fit);
    program.output = Program::Output::terminal;
    HostProcess process(program);
    const pid_t pid = process.pid();
    std::string bytes;
    while (bytes.find("Epoch ") == std::string::npos) {
      const std::string more = process.read_some();
      REQUIRE_FALSE(more.empty());
      bytes += more;
    }
    ::kill(pid, signal);
    bytes += process.read_all();
    CHECK(process.code() == code);
    CHECK_THAT(after_screen(bytes), ContainsSubstring("resume with: host resume /"));
  }
}

TEST_CASE("the terminal is restored after a crash, whose report stays") {
  const Sandbox sandbox;
  for (const char* deed : {"abort", "segfault", "exit_at_once", "throw", "interrupt_twice"}) {
    const Seen seen =
        seen_of(sandbox, scripted_fit + "--model.do " + deed + " --model.at training_step --model.epoch 3 ");
    INFO(deed);
    CHECK(seen.code != 0);
    CHECK_THAT(seen.bytes, ContainsSubstring(enters) && ContainsSubstring("\x1b[?25h" + leaves));
    CHECK_THAT(after_screen(seen.bytes), ContainsSubstring("host: error["));
  }
}

TEST_CASE("what plugins and their programs print is no drawing, and stays") {
  const Sandbox sandbox;
  const Seen seen =
      seen_of(sandbox, fit +
                           "--callback shell_command --callback.shell_command.hook on_train_epoch_end "
                           "--callback.shell_command.command 'printf \"\\033[2Jout\\nfirst\\rlast\\n\" >&2' ");
  CHECK(seen.code == 0);
  REQUIRE_THAT(seen.bytes, ContainsSubstring(enters));
  const std::string since = seen.bytes.substr(seen.bytes.find(enters));  // the first epoch may be over by then
  CHECK_THAT(since, !ContainsSubstring("\x1b[2Jout") && ContainsSubstring("?[2Jout"));
  CHECK_THAT(after_screen(seen.bytes), ContainsSubstring("?[2Jout\r\n") && ContainsSubstring("\nlast\r\n"));
}

TEST_CASE("several ranks pause and save together") {
  const Sandbox sandbox;
  const Seen seen =
      seen_of(sandbox, endless_fit + "--devices 2 --accelerator cpu ", 80,
              {{"Epoch ", "p"}, {"PAUSED", "s"}, {"saved checkpoints/saved-epoch=", "p"}, {"p pause", "q"}});
  CHECK(seen.code == 130);
  CHECK_THAT(after_screen(seen.bytes), ContainsSubstring("resume with: host resume /"));
}

TEST_CASE("without a terminal --progress dashboard prints a few lines") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.host(long_fit + "--max_epochs 40 ");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out + outcome.err, !ContainsSubstring("\x1b"));
  CHECK(starting(split(outcome.out, '\n'), "Epoch ").size() == 1);
  const Seen dumb = on_terminal(
      [&] {
        Program program = on_xterm(sandbox, fit);
        program.variables["TERM"] = "dumb";
        return program;
      }(),
      80);
  CHECK(dumb.code == 0);
  CHECK_THAT(dumb.bytes, !ContainsSubstring("\x1b"));
}
