#include "tasks/slurm/exchange.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstring>
#include <fstream>
#include <iterator>

#include "core/base/error.hpp"
#include "launch/common/descriptor.hpp"

namespace levin::core::tasks {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const fs::path& path) {
  throw Error(ErrorCode::file_not_written, path.string() + " cannot be written: " + std::strerror(errno));
}

void put(const fs::path& path, std::string_view bytes, bool sync) {
  // Names that begin with a dot are unfinished. Two machines may have equal process ids, but never write one file.
  const fs::path unfinished = path.parent_path() / ("." + path.filename().string());
  {
    const Descriptor fd(::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!fd.open()) cannot_write(unfinished);
    for (size_t at = 0; at < bytes.size();) {
      const ssize_t n = ::write(fd.get(), bytes.data() + at, bytes.size() - at);
      if (n < 0 && errno != EINTR) cannot_write(unfinished);
      if (n > 0) at += static_cast<size_t>(n);
    }
    if (sync && ::fsync(fd.get()) != 0) cannot_write(unfinished);
  }
  if (::rename(unfinished.c_str(), path.c_str()) != 0) cannot_write(path);
}

}  // namespace

std::string ExchangedTask::name() const {
  char text[80];
  std::snprintf(text, sizeof text, "%016" PRIx64 "-%" PRIu64 "-%u", order, index, attempt);
  return text;
}

std::optional<ExchangedTask> ExchangedTask::parsed(const std::string& name) {
  ExchangedTask out;
  int end = 0;
  if (std::sscanf(name.c_str(), "%16" SCNx64 "-%" SCNu64 "-%u%n", &out.order, &out.index, &out.attempt, &end) != 3 ||
      static_cast<size_t>(end) != name.size())
    return std::nullopt;
  return out;
}

void put_file(const fs::path& path, std::string_view bytes) { put(path, bytes, false); }
void put_file_durable(const fs::path& path, std::string_view bytes) { put(path, bytes, true); }
void put_number(const fs::path& path, uint64_t number) { put(path, std::to_string(number), false); }

std::optional<std::string> get_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> out;
  std::error_code failed;
  for (fs::directory_iterator i(folder, failed), end; !failed && i != end; i.increment(failed))
    if (std::string name = i->path().filename().string(); name[0] != '.') out.push_back(std::move(name));
  std::sort(out.begin(), out.end());
  return out;
}

// A line of JSON, and the bytes.
std::string packed_event(const TaskEvent& event) {
  return nlohmann::json{{"how", static_cast<int>(event.how)},
                        {"index", event.index},
                        {"attempt", event.attempt},
                        {"worker", event.worker},
                        {"seconds", event.seconds}}
             .dump() +
         "\n" + event.bytes;
}

std::optional<TaskEvent> unpacked_event(const std::string& bytes) {
  const size_t line = bytes.find('\n');
  if (line == std::string::npos) return std::nullopt;
  const nlohmann::json head = nlohmann::json::parse(bytes.substr(0, line), nullptr, false);
  if (!head.is_object()) return std::nullopt;
  TaskEvent out;
  const int how = head.value("how", -1);
  if (how < 0 || how > static_cast<int>(Ended::note)) return std::nullopt;
  out.how = static_cast<Ended>(how);
  out.index = head.value("index", uint64_t{0});
  out.attempt = head.value("attempt", 1u);
  out.worker = head.value("worker", "");
  out.seconds = head.value("seconds", 0.0);
  out.bytes = bytes.substr(line + 1);
  return out;
}

}  // namespace levin::core::tasks
