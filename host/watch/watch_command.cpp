#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "host/cli/arguments.hpp"
#include "host/cli/commands.hpp"
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
    throw Error(ErrorKind::usage, "host watch: there is no folder '" + folder.string() + "'; host runs lists the runs");
  if (is_present(folder / "config.json")) return folder;
  const fs::path newest = newest_run(folder);
  if (newest.empty()) throw Error(ErrorKind::usage, "host watch: no run is in '" + folder.string() + "'");
  return newest;
}

// The terminal while the screen is drawn: keys come at once, and the text before is there again at the end.
class Terminal {
 public:
  Terminal() {
    keys_ = is_terminal(0) && ::tcgetattr(0, &before_) == 0;
    if (keys_) {
      termios raw = before_;
      raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
      ::tcsetattr(0, TCSANOW, &raw);
    }
    std::fputs("\x1b[?1049h\x1b[?25l", stdout);
  }
  ~Terminal() {
    std::fputs("\x1b[?25h\x1b[?1049l", stdout);
    std::fflush(stdout);
    if (keys_) ::tcsetattr(0, TCSANOW, &before_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  static watch::Size size() {
    winsize size{};
    watch::Size out;
    if (::ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0)
      out.columns = size.ws_col, out.rows = size.ws_row;
    out.colours = shows_colours(1);
    return out;
  }

  void draw(const std::vector<std::string>& lines) {
    std::string text = "\x1b[H";
    for (size_t i = 0; i < lines.size(); ++i) text += (i ? "\r\n" : "") + lines[i] + "\x1b[K";
    text += "\x1b[J";
    if (text == drawn_) return;
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
    drawn_ = std::move(text);
  }

  // Waits; returns true if q was typed.
  bool asks_to_end() const {
    pollfd keys{0, POLLIN, 0};
    if (::poll(&keys, keys_ ? 1 : 0, between_looks) <= 0) return false;
    char key = 0;
    return ::read(0, &key, 1) == 1 && (key == 'q' || key == 'Q');
  }

 private:
  bool keys_ = false;
  termios before_{};
  std::string drawn_;
};

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

void show_screen(Watch& watch) {
  Terminal terminal;
  for (; watch.goes_on(); watch.look()) {
    terminal.draw(watch_screen(watch.now(), Terminal::size()));
    if (terminal.asks_to_end()) return;
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
    for (const std::string& line : watch_screen(watch.now(), Terminal::size())) std::printf("%s\n", line.c_str());
  else
    std::printf("%s\n", watch_line(watch.now()).c_str());
  return 0;
}

}  // namespace levin::core
