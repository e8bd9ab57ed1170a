// Runs a shell command at one hook, for example to send a notification or to copy a checkpoint.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "levin/callback.hpp"
#include "levin/util/text.hpp"

extern char** environ;

namespace levin::shell_command {
namespace {

#define LEVIN_NAME(NAME, bit, member) #member,
constexpr const char* hooks[] = {LEVIN_FOR_EACH_CALLBACK_HOOK(LEVIN_NAME) nullptr};
#undef LEVIN_NAME

class ShellCommand : public Callback {
 public:
  static constexpr levin_option options[] = {
      required(text("command", nullptr,
                    "shell command; its environment has LEVIN_HOOK, LEVIN_STAGE, LEVIN_EPOCH, LEVIN_STEP, "
                    "LEVIN_RUN_DIR, LEVIN_METRICS (JSON) and LEVIN_TEXT (failure, checkpoint)")),
      choice("hook", "\"on_fit_end\"", "when", hooks),
      integer("every_n", "1", "run only at every Nth call of the hook", 1, 1e15),
      flag("strict", "false", "end the run if the command fails; false = warn"),
  };
  explicit ShellCommand(const Args& args)
      : command_(args.text("command")),
        hook_(args.text("hook")),
        every_(args.integer("every_n")),
        strict_(args.flag("strict")) {}

#define LEVIN_HOOK_MEMBER(NAME, bit, member) \
  void member(const Event& event) { at(#member, event); }
  LEVIN_FOR_EACH_CALLBACK_HOOK(LEVIN_HOOK_MEMBER)
#undef LEVIN_HOOK_MEMBER

 private:
  void at(const char* hook, const Event& event) {
    if (hook_ != hook || ++times_ % every_ != 0 || !is_first_process(event.run())) return;
    const int code = run_shell(environment(event));
    if (code == 0) return;
    const std::string problem =
        "the command of " + hook_ + " ended with code " + std::to_string(code) + ": " + command_;
    if (strict_) throw Error(LEVIN_E_EXCEPTION, problem);
    warn(problem);
  }

  std::vector<std::string> environment(const Event& event) const {
    std::string metrics = "{";
    for (const auto& [name, value] : event.run().metrics())
      metrics += (metrics.size() > 1 ? ", \"" : "\"") + name +
                 "\": " + (std::isfinite(value) ? shortest(value) : "\"" + shortest(value) + "\"");
    return {"LEVIN_HOOK=" + hook_,
            "LEVIN_STAGE=" + event.run().stage(),
            "LEVIN_EPOCH=" + std::to_string(event.epoch()),
            "LEVIN_STEP=" + std::to_string(event.global_step()),
            "LEVIN_RUN_DIR=" + event.run().run_dir(),
            "LEVIN_METRICS=" + metrics + "}",
            "LEVIN_TEXT=" + event.text()};
  }

  // Passes the variables to the new process only, because other threads may read the environment of this process.
  int run_shell(std::vector<std::string> own) const {
    std::vector<char*> variables;
    for (char** v = environ; *v; ++v) variables.push_back(*v);
    for (std::string& v : own) variables.push_back(v.data());
    variables.push_back(nullptr);
    std::string shell = "/bin/sh", option = "-c", command = command_;
    char* const words[] = {shell.data(), option.data(), command.data(), nullptr};
    pid_t child = 0;
    const int problem = posix_spawn(&child, shell.c_str(), nullptr, nullptr, words, variables.data());
    if (problem != 0) throw Error(LEVIN_E_IO, std::string("cannot start /bin/sh: ") + std::strerror(problem));
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  std::string command_, hook_;
  int64_t every_, times_ = 0;
  bool strict_;
};

}  // namespace
}  // namespace levin::shell_command

LEVIN_PLUGIN("levin.shell_command", "0.1.0", "Apache-2.0",
             levin::callback<levin::shell_command::ShellCommand>("shell_command", "Runs a shell command at a hook"))
