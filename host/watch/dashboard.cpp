#include "host/watch/dashboard.hpp"

#include <poll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include "core/base/stop_signals.hpp"
#include "core/base/text.hpp"
#include "host/watch/dashboard_screen.hpp"
#include "host/watch/process_load.hpp"
#include "host/watch/run_child.hpp"
#include "host/watch/terminal.hpp"
#include "sdk/include/levin/util/clock.hpp"
#include "sdk/include/levin/util/terminal.hpp"

namespace levin::core {
namespace {

constexpr double between_drawings = 0.1, between_loads = 1;  // seconds
constexpr int longest_wait = 1000;                           // milliseconds
constexpr size_t most_text = size_t{1} << 20, end_of_text = 8192;

sigset_t signals_of_dashboard() {
  sigset_t out = stop_signal_set();
  for (const int signal : {SIGCHLD, SIGWINCH, SIGTSTP, SIGCONT}) sigaddset(&out, signal);
  return out;
}

// What the run has written since the screen was opened; of very much text, the end. A line that was written over, as by
// a progress bar, has its last text.
class WrittenText {
 public:
  void add(const std::string& bytes) {
    for (const char c : bytes) {
      if (over_ && c != '\n') text_.erase(text_.rfind('\n') + 1);
      over_ = c == '\r';
      if (!over_) text_ += c;
    }
    if (text_.size() <= 2 * most_text) return;
    const size_t cut = text_.find('\n', text_.size() - most_text);
    text_.erase(0, cut == std::string::npos ? text_.size() - most_text : cut + 1);
    cut_ = true;
  }
  std::string end() const { return text_.substr(text_.size() - std::min(text_.size(), end_of_text)); }
  std::string all() const { return printable((cut_ ? "... (log.txt of the run has the lines before)\n" : "") + text_); }

 private:
  std::string text_;
  bool over_ = false, cut_ = false;
};

class Dashboard {
 public:
  explicit Dashboard(watch::RunChild& child) : child_(child) {
    const sigset_t signals = signals_of_dashboard();
    ::sigprocmask(SIG_BLOCK, &signals, nullptr);
    signals_ = Descriptor(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
    std::signal(SIGPIPE, SIG_IGN);
    state_.run = &run_;
  }

  int show() {
    while (!child_.ended()) {
      wait();
      read_signals();
      read_child();
      read_keys();
      draw();
    }
    read_child();
    terminal_.leave();
    print(text_.all());
    return exit_code();
  }

 private:
  void wait() {
    const double due = changed_ && terminal_.entered() ? between_drawings - (steady_seconds() - drawn_at_) : 1e9;
    pollfd ready[] = {{signals_.get(), POLLIN, 0},
                      {child_.output(), POLLIN, 0},
                      {child_.socket(), POLLIN, 0},
                      {terminal_.entered() && terminal_.has_keys() ? 0 : -1, POLLIN, 0}};
    ::poll(ready, std::size(ready), due <= 0 ? 0 : static_cast<int>(std::min<double>(longest_wait, due * 1000 + 1)));
  }

  void read_signals() {
    signalfd_siginfo info{};
    while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
      const int number = static_cast<int>(info.ssi_signo);
      if (number == SIGTSTP)
        stop_like_a_job();
      else if (number == SIGWINCH)
        child_.resize(terminal_.size());
      else if (number != SIGCHLD && number != SIGCONT)
        pass_on(number, info.ssi_code);
      changed_ = true;
    }
  }

  // The terminal sends Ctrl-C to the run, too. Whoever sends SIGINT with kill may have done so: a second one would end
  // the run without saving, so SIGTERM, which may come twice, stands in for it.
  void pass_on(int number, int code) {
    state_.mood = watch::RunMood::stopping;
    if (number != SIGINT) return child_.signal(number);
    if (code == SI_KERNEL) return;
    interrupted_ = true;
    child_.signal(SIGTERM);
  }

  // Ctrl-Z stops the run as well, which is in the same process group.
  void stop_like_a_job() {
    terminal_.leave();
    ::raise(SIGSTOP);
    open_screen();
  }

  // A run that has not said anything yet may print a few lines and fail: until then there is no screen.
  void open_screen() {
    if (child_.peer() != 0) terminal_.enter();
  }

  void read_child() {
    for (std::string bytes = child_.read_output(); !bytes.empty(); bytes = child_.read_output()) {
      if (child_.peer() == 0)
        print(bytes);
      else
        text_.add(bytes);
      changed_ = true;
    }
    for (std::string message = child_.read_message(); !message.empty(); message = child_.read_message()) {
      run_.read(message, steady_seconds());
      if (state_.mood == watch::RunMood::starting) state_.mood = watch::RunMood::running;
      changed_ = true;
    }
    open_screen();
  }

  void read_keys() {
    for (char key = terminal_.key(); key != '\0'; key = terminal_.key()) {
      if (key == 's' || key == 'S') child_.send('s');
      if (key == 'p' || key == 'P' || key == ' ') child_.send(run_.paused() ? 'c' : 'p');
      if ((key == 'q' || key == 'Q') && state_.mood != watch::RunMood::stopping) {
        state_.mood = watch::RunMood::stopping;
        child_.signal(SIGINT);
      }
      changed_ = true;
    }
  }

  void draw() {
    const double now = steady_seconds();
    if (now - load_at_ >= between_loads && child_.peer() != 0) {
      load_at_ = now;
      state_.load = load_.pieces(child_.peer(), run_.text("memory"));
      changed_ = true;
    }
    if (!changed_ || !terminal_.entered() || now - drawn_at_ < between_drawings) return;
    drawn_at_ = now;
    changed_ = false;
    state_.log = text_.end();
    terminal_.draw(dashboard_screen(state_, terminal_.size()));
  }

  static void print(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }

  int exit_code() const {
    const int status = child_.status();
    if (WIFSIGNALED(status)) {
      const int number = WTERMSIG(status);
      std::signal(number, SIG_DFL);
      sigset_t one;
      sigemptyset(&one);
      sigaddset(&one, number);
      ::raise(number);
      ::sigprocmask(SIG_UNBLOCK, &one, nullptr);
      return 128 + number;
    }
    const int code = WEXITSTATUS(status);
    return interrupted_ && code == code_of_stop(SIGTERM) ? code_of_stop(SIGINT) : code;
  }

  watch::RunChild& child_;
  Descriptor signals_;
  watch::Terminal terminal_;
  watch::RunMessages run_;
  watch::DashboardState state_;
  watch::ProcessLoad load_;
  WrittenText text_;
  bool changed_ = true, interrupted_ = false;
  double drawn_at_ = -1e300, load_at_ = -1e300;
};

}  // namespace

std::optional<int> run_under_dashboard() {
  if (!redraws_lines(1)) return std::nullopt;
  std::fflush(nullptr);
  watch::RunChild child(watch::Terminal().size());
  if (child.is_child()) return std::nullopt;
  return Dashboard(child).show();
}

}  // namespace levin::core
