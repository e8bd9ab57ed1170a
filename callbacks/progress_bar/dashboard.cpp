#include "dashboard.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "levin/processes.hpp"
#include "levin/util/clock.hpp"
#include "levin/util/uninterrupted.hpp"

namespace levin::progress_bar {
namespace {

constexpr size_t most_bytes = 60000;         // of a message
constexpr double meetings_per_second = 2;    // of several ranks
constexpr int64_t most_batches = 1000;       // between two meetings
constexpr int64_t never = int64_t{1} << 40;  // without a dashboard
constexpr int between_looks = 200;           // milliseconds, while the run is paused
constexpr double between_memory = 1;         // seconds

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
  return text;
}

// The host that runs as this user, and nobody else, is told about the run.
bool is_of_this_user(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::geteuid();
}

}  // namespace

DashboardLink::~DashboardLink() { close(); }

void DashboardLink::close() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

bool DashboardLink::connect(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;  // an abstract name begins with a zero byte
  if (name.empty() || name.size() + 1 > sizeof address.sun_path) return false;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  socket_ = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket_ >= 0 &&
      (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), size) != 0 || !is_of_this_user(socket_)))
    close();
  return open();
}

void DashboardLink::send(const std::string& message) {
  if (!open()) return;
  const ssize_t n = uninterrupted([&] { return ::send(socket_, message.data(), message.size(), MSG_NOSIGNAL); });
  if (n < 0 && errno != EAGAIN && errno != EMSGSIZE) close();
}

char DashboardLink::take() {
  if (!open()) return '\0';
  char key = '\0';
  const ssize_t n = uninterrupted([&] { return ::recv(socket_, &key, 1, 0); });
  if (n == 0 || (n < 0 && errno != EAGAIN)) close();
  return n == 1 ? key : '\0';
}

void DashboardLink::wait(int milliseconds) const {
  pollfd ready{socket_, POLLIN, 0};
  ::poll(&ready, open() ? 1 : 0, milliseconds);
}

bool Dashboard::connect(bool is_first_process) {
  if (!is_first_process) return false;
  if (const char* name = std::getenv("LEVIN_DASHBOARD"); name && !open()) link_.connect(name);
  return open();
}

void Dashboard::show(const Run& run, const Progress& progress) {
  if (!open()) return;
  const double now = steady_seconds();
  if (now - read_memory_at_ >= between_memory) {
    read_memory_at_ = now;
    const auto memory = run.memory();
    memory_ =
        memory ? number_text(static_cast<double>(memory->used)) + "/" + number_text(static_cast<double>(memory->total))
               : "";
  }
  const double steps = run.estimated_stepping_batches();
  std::string text = "run_dir\t" + one_line(run.run_dir()) + "\ntitle\t" + one_line(progress.title) + "\ndone\t" +
                     number_text(progress.exactly_done()) + "\ntotal\t" + std::to_string(progress.total) +
                     "\nbefore\t" + std::to_string(progress.before) + "\nseconds\t" + number_text(progress.seconds) +
                     "\nepoch\t" + std::to_string(run.current_epoch()) + "\nstep\t" +
                     std::to_string(run.global_step()) + "\nsteps\t" +
                     (std::isfinite(steps) ? number_text(steps) : "-1") + "\nstage\t" + run.stage() + "\nmemory\t" +
                     memory_ + "\npaused\t" + (shows_pause_ ? "1" : "0") + "\nnote\t" + one_line(note_) + "\n";
  for (const auto& [name, value] : run.metrics(LEVIN_METRIC_CALLBACK)) {
    const std::string line = "metric\t" + one_line(name) + "\t" + number_text(value) + "\n";
    if (text.size() + line.size() > most_bytes) break;
    text += line;
  }
  link_.send(text);
}

void Dashboard::read_keys() {
  for (char key = link_.take(); key != '\0'; key = link_.take()) {
    if (key == 's') save_ = true;
    if (key == 'p') paused_ = true;
    if (key == 'c') paused_ = false;
  }
  if (!open()) paused_ = false;  // nobody could end the pause
}

Dashboard::Keys Dashboard::meet(const Run& run, double batches_per_second) {
  read_keys();
  const bool save = std::exchange(save_, false);
  const auto is_ending = [&run] { return run.is("interrupted") || run.should_stop(); };
  if (run.world_size() == 1) return {save, paused_ && !is_ending()};
  const double batches = std::clamp(batches_per_second / meetings_per_second, 1.0, static_cast<double>(most_batches));
  const int64_t to_next = run.rank() != 0 ? 0 : open() ? static_cast<int64_t>(batches) : never;
  const std::vector<int64_t> all = over_processes(run, {save, paused_, is_ending(), to_next}, LEVIN_REDUCE_MAX);
  batches_to_meeting_ = all.at(3);
  return {all.at(0) != 0, all.at(1) != 0 && all.at(2) == 0};
}

void Dashboard::save(const Run& run) {
  const std::string folder = run.run_dir();
  if (folder.empty()) {
    note_ = "nothing was saved, because the run keeps no files";
    return;
  }
  const std::string file =
      "saved-epoch=" + std::to_string(run.current_epoch()) + "-step=" + std::to_string(run.global_step()) + ".ckpt";
  try {
    run.save_checkpoint(folder + "/checkpoints/" + file);
    note_ = "saved checkpoints/" + file;
  } catch (const Error& problem) {
    note_ = "nothing was saved: " + std::string(problem.what());
  }
  if (run.rank() == 0) run.print(note_);
}

void Dashboard::before_batch(const Run& run, double batches_per_second) {
  if (several_ ? --batches_to_meeting_ > 0 : !open() || steady_seconds() < look_at_) return;
  several_ = run.world_size() > 1;
  for (bool was_paused = false;; was_paused = true) {
    const Keys keys = meet(run, batches_per_second);
    look_at_ = steady_seconds() + between_looks / 1000.0;
    if (keys.save) save(run);
    if (keys.save || keys.pause != was_paused) {
      shows_pause_ = keys.pause;
      link_.send(std::string("paused\t") + (keys.pause ? "1" : "0") + "\nnote\t" + one_line(note_) + "\n");
    }
    if (!keys.pause) return;
    link_.wait(between_looks);
  }
}

}  // namespace levin::progress_bar
