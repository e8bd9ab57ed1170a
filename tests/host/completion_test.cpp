// The candidates that shells get from `host __complete`.
#include <sys/stat.h>

#include <algorithm>
#include <chrono>

#include "core/base/text.hpp"
#include "installation.hpp"

namespace fs = std::filesystem;

namespace {

// Returns the lines for a command line, without descriptions. The last word is completed.
std::vector<std::string> candidates(const Installation& installation, const std::string& words) {
  const Answer answer = installation.host("__complete " + words);
  CHECK(answer.code == 0);
  CHECK(answer.err.empty());
  std::vector<std::string> out;
  for (const std::string& line : levin::core::split(answer.out, '\n'))
    if (!line.empty()) out.push_back(line.substr(0, line.find('\t')));
  return out;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("completion proposes commands, verbs and what the usage of a command names") {
  const Installation installation;
  CHECK(candidates(installation, "va") == Lines{"validate"});
  CHECK(candidates(installation, "ckpt pr") == Lines{"prune"});
  CHECK(candidates(installation, "new met") == Lines{"metric"});
  CHECK(candidates(installation, "export --format pt") == Lines{"pt"});
  CHECK(candidates(installation, "runs --sort s") == Lines{"state", "step"});
  CHECK(candidates(installation, "config diff --js") == Lines{"--json"});
  CHECK(candidates(installation, "config diff --forc").empty());
  const Lines of_validate = candidates(installation, "config validate ''");
  CHECK(std::count(of_validate.begin(), of_validate.end(), "--json") == 1);
  CHECK(std::count(of_validate.begin(), of_validate.end(), "--origins") == 0);
  CHECK(candidates(installation, "report --out") == Lines{"--output"});
  CHECK(candidates(installation, "report --output x") == Lines{":files"});
  CHECK(candidates(installation, "plugins --plugins x") == Lines{":folders"});
  CHECK(candidates(installation, "help toy_r") == Lines{"toy_rows", ":files"});
  CHECK(candidates(installation, "submit --nodes 2 fi") == Lines{"fit"});
  CHECK(candidates(installation, "sweep --trials 2 fi") == Lines{"fit"});
  CHECK(candidates(installation, "sweep --trials 2 fit va").empty());
}

TEST_CASE("completion proposes the options of a run, its components and their values") {
  const Installation installation;
  CHECK(candidates(installation, "fit --max_ep") == Lines{"--max_epochs"});
  CHECK(candidates(installation, "--explain max_ep") == Lines{"max_epochs"});
  CHECK(candidates(installation, "fit --explain trainer.max_ep") == Lines{"trainer.max_epochs"});
  CHECK(candidates(installation, "fit --precision 16-t") == Lines{"16-true"});
  CHECK(candidates(installation, "fit --deterministic w") == Lines{"warn"});
  CHECK(candidates(installation, "fit --model toy_") == Lines{"toy_net", ":files"});
  CHECK(candidates(installation, "--model=toy_") == Lines{"--model=toy_net", ":files"});
  CHECK(candidates(installation, "fit --callback=a=toy_h") == Lines{"--callback=a=toy_halt", ":files"});
  CHECK(candidates(installation, "--model toy_net --model.d") == Lines{"--model.depth"});
  CHECK(candidates(installation, "--model toy_net --dep") == Lines{"--depth"});
  CHECK(candidates(installation, "--model toy_net --depth ''") == Lines{"18", "34"});
  CHECK(candidates(installation, "--model toy_net --model.depth=3") == Lines{"--model.depth=34"});
  CHECK(candidates(installation, "fit --callback a=toy_halt --callback.a.pa") == Lines{"--callback.a.patience"});
  CHECK(candidates(installation, "fit --trainer.strategy d") == Lines{"ddp", "dp"});
  CHECK(candidates(installation, "fit --enable_autolog_hparams ''") == Lines{"true", "false"});
  CHECK(candidates(installation, "submit --time 1 fit --model toy_net --model.d") == Lines{"--model.depth"});
  CHECK(candidates(installation, "check lib/levin/plugins/libtoy.so --model.d") == Lines{"--model.depth"});
}

TEST_CASE("completion proposes runs, the newest first, their checkpoints, and the options of their components") {
  const Installation installation;
  for (const char* run : {"version_0", "version_1"}) {
    const Answer started = installation.host("fit " + good);
    installation.write(std::string("levin_logs/") + run + "/config.json", started.out.substr(started.out.find('{')));
  }
  installation.write("levin_logs/no_run/notes.txt", "");
  installation.write("levin_logs/version_0/checkpoints/a b.ckpt", "");
  const auto now = fs::file_time_type::clock::now();
  fs::last_write_time(installation.folder() / "levin_logs/version_0/config.json", now + std::chrono::hours(1));
  installation.write("levin_logs/tasks_0/ledger.db", "");
  installation.write("levin_logs/sweep_0/study.journal", "");
  CHECK(candidates(installation, "tasks --resume ''") == Lines{"levin_logs/tasks_0", ":folders"});
  CHECK(candidates(installation, "sweep best ''") == Lines{"levin_logs/sweep_0", ":folders"});
  CHECK(candidates(installation, "resume ''") == Lines{"levin_logs/version_0", "levin_logs/version_1", ":folders"});
  CHECK(candidates(installation, "test --run=levin_logs/version_1") == Lines{"--run=levin_logs/version_1", ":folders"});
  CHECK(candidates(installation, "test --ckpt_path levin") ==
        Lines{"levin_logs/version_0/checkpoints/a b.ckpt", ":files"});
  installation.write("levin_logs/version_1/checkpoints/b.ckpt", "");
  CHECK(candidates(installation, "test --run levin_logs/version_1 --ckpt_path levin") ==
        Lines{"levin_logs/version_1/checkpoints/b.ckpt", ":files"});
  CHECK(candidates(installation, "test --ckpt_path la") == Lines{"last", ":files"});
  CHECK(candidates(installation, "resume levin_logs/version_0 --model.d") == Lines{"--model.depth"});
  CHECK(candidates(installation, "test --run levin_logs/version_0 --model.d") == Lines{"--model.depth"});
  installation.write("own.json", R"({"model": "toy_net"})");
  CHECK(candidates(installation, "fit --config own.json --model.d") == Lines{"--model.depth"});
}

TEST_CASE("a broken line or file only leaves candidates out") {
  const Installation installation;
  const std::string dir = "lib/levin/plugins/";
  installation.write(dir + "libgarbage.so", "no plugin");
  installation.write("broken.json", "{\"model\": ");
  installation.write("levin_logs/version_0/config.json", "[]");
  REQUIRE(::mkfifo((installation.folder() / dir / "libfifo.so").c_str(), 0600) == 0);
  REQUIRE(::mkfifo((installation.folder() / "pipe.json").c_str(), 0600) == 0);
  fs::create_directories(installation.folder() / dir / "libfolder.so");
  for (const char* words : {"--model toy_net --config broken.json ", "--model toy_net --config pipe.json ",
                            "--model toy_net --config nothing.json ", "--model toy_net --plugins nowhere ",
                            "fit --run levin_logs/version_0 --model toy_net ", "--model toy_net --data no_such_rows ",
                            "--model toy_net --callback no=thing=false ", "--model toy_net --no_such_option 1 ",
                            "--model toy_net --ckpt_path pipe.json ", "--model toy_net --- ", "--model toy_net '' "}) {
    INFO(words);
    CHECK(candidates(installation, words + std::string("--model.d")) == Lines{"--model.depth"});
  }
  for (const char* file : {"libgarbage.so", "libfifo.so", "libfolder.so"}) {
    CHECK(candidates(installation, "--model " + dir + file + " --model.d").empty());
    CHECK(candidates(installation, "check " + dir + file + " --model.d").empty());
  }
  CHECK(candidates(installation, "no_such_command x").empty());
  CHECK(candidates(installation, "no_such_command --x").empty());
  CHECK(candidates(installation, "--=").empty());
}

TEST_CASE("completion runs no code of a plugin and writes nothing") {
  const Installation installation;
  fs::copy_file(LEVIN_TEST_BAD_PLUGINS "/libgood.so", installation.folder() / "libgood.so");
  fs::copy_file(LEVIN_TEST_BAD_PLUGINS "/libhangs_in_entry.so", installation.folder() / "libhangs_in_entry.so");
  const fs::path cache = installation.folder() / "cache/levin/plugins.jsonl";
  CHECK(candidates(installation, "--callback ./libhangs_in_entry.so --callback.thing.").empty());
  CHECK(candidates(installation, "--callback ./libgood.so --callback.thing.").empty());
  CHECK(candidates(installation, "check ./libgood.so --callback.").empty());
  CHECK_FALSE(fs::exists(cache));
  // Once another command has described the file, completion knows it.
  CHECK(installation.host("inspect ./libgood.so").code == 0);
  CHECK(fs::exists(cache));
  CHECK(candidates(installation, "--callback ./libgood.so --callback.thing.") == Lines{"--callback.thing.count"});
}

TEST_CASE("host completion prints the script of a shell") {
  const Installation installation;
  for (const char* shell : {"bash", "zsh", "fish"})
    CHECK_THAT(installation.host(std::string("completion ") + shell).out,
               ContainsSubstring(std::string(shell) + " completion of host") && ContainsSubstring("__complete"));
  CHECK_THAT(installation.host("completion bsh").error(), ContainsSubstring("did you mean 'bash'?"));
  CHECK(installation.host("completion").code == 2);
}
