// A rank that trains nothing. Its arguments are steps, each with an optional prefix of ranks that perform it: "0,2:".
// It records its actions in a file named by its rank in the folder FAKE_LOG.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>

namespace {

int rank() { return std::atoi(std::getenv("RANK")); }
int restart() { return std::atoi(std::getenv("LEVIN_RESTART_COUNT")); }
int channel() { return std::atoi(std::getenv("LEVIN_LAUNCHER_FD")); }
volatile sig_atomic_t exit_by_signal = 0, signals_heard = 0;

void note(const std::string& text) {
  const char* folder = std::getenv("FAKE_LOG");
  if (folder == nullptr) return;
  std::ofstream(std::string(folder) + "/" + std::to_string(rank()), std::ios::app) << text << std::endl;
}

void say(const std::string& line) {
  const std::string text = line + "\n";
  if (write(channel(), text.data(), text.size()) < 0) std::exit(99);
}

std::string hear() {
  std::string line;
  for (char c; read(channel(), &c, 1) == 1 && c != '\n';) line += c;
  return line;
}

void on_signal(int signal) {
  const char* folder = std::getenv("FAKE_LOG");
  const std::string path = std::string(folder ? folder : "/tmp") + "/" + std::to_string(rank());
  if (FILE* file = std::fopen(path.c_str(), "a")) {
    std::fprintf(file, "signal %d\n", signal);
    std::fclose(file);
  }
  signals_heard = signals_heard + 1;
  if (exit_by_signal) _exit(exit_by_signal);
}

std::string run_config(const char* fd) {
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = read(std::atoi(fd), buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<size_t>(n));
  return text;
}

void wait_for_ever() {
  for (;;) pause();
}

// Unblocks signals, as an engine does when it can handle them.
void let_signals_come() {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Steps: "exit 3", "print text", "warn text", "flood 500" (warnings of 1 kB), "partial text", "say line", "hear", "kill
// 9", "wait", "sleep 50" (ms), "catch 75" (handle signals and exit with this code; 0 = continue), "load" (block signals
// until they can be handled), "env NAME", "config", "note text", "folder", "background" (a child that keeps the output
// open), "write FILE" (until two seconds after a signal).
void act(const std::string& step, const char* config_fd) {
  const size_t space = step.find(' ');
  const std::string what = step.substr(0, space), rest = space == std::string::npos ? "" : step.substr(space + 1);
  if (what == "exit") std::exit(std::atoi(rest.c_str()));
  if (what == "print") std::printf("%s\n", rest.c_str()), std::fflush(stdout);
  if (what == "warn") std::fprintf(stderr, "%s\n", rest.c_str());
  for (int i = 0; what == "flood" && i < std::atoi(rest.c_str()); ++i)
    std::fprintf(stderr, "%d %s\n", i, std::string(1000, 'x').c_str());
  if (what == "partial") std::fprintf(stderr, "%s", rest.c_str());
  if (what == "say") say(rest);
  if (what == "hear") note(hear());
  if (what == "kill") raise(std::atoi(rest.c_str()));
  if (what == "wait") wait_for_ever();
  if (what == "sleep") usleep(static_cast<useconds_t>(std::atoi(rest.c_str())) * 1000);
  if (what == "env") note(rest + "=" + (std::getenv(rest.c_str()) ? std::getenv(rest.c_str()) : "(none)"));
  if (what == "config") note(run_config(config_fd));
  if (what == "note") note(rest);
  if (what == "background" && fork() == 0) sleep(5), _exit(0);
  if (what == "folder") {
    char path[4096];
    note(getcwd(path, sizeof path));
  }
  if (what == "catch") {
    exit_by_signal = std::atoi(rest.c_str());
    for (const int s : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU}) signal(s, on_signal);
    let_signals_come();
  }
  if (what == "write") {
    std::string block(1 << 16, 'x');
    const auto put = [&] {
      std::ofstream file(rest, std::ios::trunc);
      for (int k = 0; k < 4; ++k) file << block << std::flush;
      usleep(10000);
    };
    for (int i = 0; i < 6000 && signals_heard == 0; ++i) put();
    for (const time_t end = time(nullptr) + 3; time(nullptr) < end;) put();  // at least two seconds
  }
}

bool is_for_me(std::string& step) {
  const size_t colon = step.find(':');
  if (colon == std::string::npos || step.find_first_not_of("0123456789,*r") < colon) return true;
  const std::string who = step.substr(0, colon);
  step = step.substr(colon + 1);
  if (who[0] == 'r') return restart() == std::atoi(who.c_str() + 1);  // of this attempt
  return ("," + who + ",").find("," + std::to_string(rank()) + ",") != std::string::npos;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || std::strcmp(argv[1], "load") != 0) let_signals_come();
  note("pid " + std::to_string(getpid()));
  for (int i = 1; i + 2 < argc; ++i) {
    std::string step = argv[i];
    bool mine = is_for_me(step);
    while (mine && step.find(':') != std::string::npos && step.find_first_not_of("0123456789,*r") == step.find(':'))
      mine = is_for_me(step);
    if (mine) act(step, argv[argc - 1]);
  }
}
