#include "slow_cable.hpp"

#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstring>
#include <deque>
#include <utility>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

// The device belongs to the namespace of the thread that creates it. Returns -1 if it cannot be created.
int make_device(const std::string& space, const char* name) {
  int device = -1;
  std::thread([&] {
    const int entrance = ::open(("/var/run/netns/" + space).c_str(), O_RDONLY | O_CLOEXEC);
    const bool inside = entrance >= 0 && ::setns(entrance, CLONE_NEWNET) == 0;
    ::close(entrance);
    if (!inside) return;
    device = ::open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK);
    ifreq request{};
    request.ifr_flags = IFF_TAP | IFF_NO_PI;
    std::strncpy(request.ifr_name, name, sizeof request.ifr_name - 1);
    if (device >= 0 && ::ioctl(device, TUNSETIFF, &request) != 0) ::close(std::exchange(device, -1));
  }).join();
  return device;
}

}  // namespace

SlowCable::SlowCable(const std::string& first, const std::string& second, std::chrono::milliseconds delay, int lost_of)
    : delay_(delay), lost_of_(lost_of) {
  ends_[0] = make_device(first, "v1");
  ends_[1] = make_device(second, "v2");
  if (!is_there()) return;
  ways_[0] = std::thread([this] { carry(ends_[0], ends_[1]); });
  ways_[1] = std::thread([this] { carry(ends_[1], ends_[0]); });
}

SlowCable::~SlowCable() {
  done_ = true;
  for (std::thread& way : ways_)
    if (way.joinable()) way.join();
  for (const int end : ends_)
    if (end >= 0) ::close(end);
}

void SlowCable::carry(int from, int to) const {
  std::deque<std::pair<Clock::time_point, std::vector<char>>> under_way;
  std::vector<char> packet(70000);
  for (int count = 0; !done_;) {
    pollfd arrives{from, POLLIN, 0};
    ::poll(&arrives, 1, under_way.empty() ? 20 : 1);
    for (ssize_t n = 0; (n = ::read(from, packet.data(), packet.size())) > 0;)
      if (++count % lost_of_ != 0)
        under_way.emplace_back(Clock::now() + delay_, std::vector<char>(packet.begin(), packet.begin() + n));
    for (; !under_way.empty() && under_way.front().first <= Clock::now(); under_way.pop_front())
      if (::write(to, under_way.front().second.data(), under_way.front().second.size()) < 0) break;
  }
}
