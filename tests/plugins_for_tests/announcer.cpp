// A callback that records, in the file LEVIN_TEST_ANNOUNCED, the step of each checkpoint announced as written to the
// disk.
#include <levin/levin.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace {

// The manifest is a JSON string within the header, so its quotes are escaped.
std::string step_of(const std::string& checkpoint) {
  std::ifstream in(checkpoint, std::ios::binary);
  std::string head(1 << 16, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  const std::string key = "\\\"global_step\\\":";
  const size_t at = head.find(key);
  if (at == std::string::npos) return "0";
  const size_t begin = at + key.size();
  return head.substr(begin, head.find_first_not_of("0123456789", begin) - begin);
}

struct Announcer : levin::Callback {
  void on_checkpoint_durable(const levin::Event& e) {
    const char* file = std::getenv("LEVIN_TEST_ANNOUNCED");
    if (file == nullptr) return;
    const std::string line = step_of(e.text()) + "\n";
    const int fd = ::open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (::write(fd, line.data(), line.size()) != static_cast<ssize_t>(line.size())) std::abort();
    ::close(fd);
  }
};

}  // namespace

LEVIN_PLUGIN("levin.test.announcer", "1.0.0", "Apache-2.0",
             levin::callback<Announcer>("announcer", "Notes which checkpoints are on the disk"))
