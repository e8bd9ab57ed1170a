#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/base/readable_folder.hpp"
#include "core/base/text.hpp"
#include "host/cli/arguments.hpp"
#include "host/cli/commands.hpp"
#include "host/watch/terminal.hpp"
#include "host/watch/watch_screen.hpp"
#include "runs/metric_history.hpp"
#include "runs/run_row.hpp"
#include "sdk/include/levin/util/terminal.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

constexpr int between_looks = 500;  // milliseconds
constexpr auto between_lines = std::chrono::seconds(20);
constexpr int64_t most_of_log = 16 << 10;

volatile std::sig_atomic_t stopped = 0;

// The newest run is the one whose log was written last.
fs::path newest_run(const fs::path& folder) {
  fs::path out;
  fs::file_time_type newest{};
  std::error_code unknown;
  for (fs::directory_iterator at(folder, unknown), end; !unknown && at != end; at.increment(unknown)) {
    std::error_code gone;
    const fs::file_time_type written = fs::last_write_time(at->path() / "log.txt", gone);
    if (gone || (!out.empty() && written <= newest)) continue;
    newest = written;
    out = at->path();
  }
  return out;
}

fs::path run_to_watch(const std::vector<std::string>& names) {
  const fs::path folder = absolute_path(names.empty() ? "levin_logs" : names[0]).lexically_normal();
  if (!is_folder(folder))
    throw Error(ErrorCode::folder_not_found,
                "host watch: there is no folder '" + folder.string() + "'; host runs lists the runs");
  if (is_present(folder / "config.json")) return folder;
  require_readable_folder(folder);
  const fs::path newest = newest_run(folder);
  if (newest.empty()) throw Error(ErrorCode::not_a_run_folder, "host watch: no run is in '" + folder.string() + "'");
  return newest;
}

class Watch {
 public:
  explicit Watch(fs::path run) : run_(std::move(run)), reader_(run_) {}

  void look() {
    reader_.update();
    now_.row = read_run(run_, run_.filename().string());
    now_.metrics = &reader_.metrics();
    now_.log = end_of_file(run_ / "log.txt", most_of_log);
  }
  const watch::Watched& now() const { return now_; }
  bool goes_on() const { return now_.row.state == RunState::running && stopped == 0; }

 private:
  const fs::path run_;
  MetricReader reader_;
  watch::Watched now_;
};

void show_lines(Watch& watch) {
  for (auto last = steady_clock::now(); watch.goes_on(); watch.look()) {
    ::poll(nullptr, 0, between_looks);
    if (steady_clock::now() - last < between_lines) continue;
    std::printf("%s\n", watch_line(watch.now()).c_str());
    std::fflush(stdout);
    last = steady_clock::now();
  }
}

// Waits; returns true if q was typed.
bool asks_to_end(const watch::Terminal& terminal) {
  pollfd keys{0, POLLIN, 0};
  if (::poll(&keys, terminal.has_keys() ? 1 : 0, between_looks) <= 0) return false;
  const char key = terminal.key();
  return key == 'q' || key == 'Q';
}

void show_screen(Watch& watch) {
  watch::Terminal terminal;
  terminal.enter();
  for (; watch.goes_on(); watch.look()) {
    terminal.draw(watch_screen(watch.now(), terminal.size()));
    if (asks_to_end(terminal)) return;
  }
}

}  // namespace

int watch_command(const std::vector<std::string>& arguments) {
  const Arguments given = read_arguments({"watch", {}, {}}, arguments);
  Watch watch(run_to_watch(given.names));
  struct sigaction stop {};
  stop.sa_handler = [](int) { stopped = 1; };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &stop, nullptr);
  watch.look();
  redraws_lines(1) ? show_screen(watch) : show_lines(watch);
  watch.look();
  if (redraws_lines(1))
    for (const std::string& line : watch_screen(watch.now(), watch::Terminal().size()))
      std::printf("%s\n", line.c_str());
  else
    std::printf("%s\n", watch_line(watch.now()).c_str());
  return 0;
}

}  // namespace levin::core
