#include "event_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "event.hpp"
#include "levin/error.hpp"
#include "levin/util/uninterrupted.hpp"

namespace fs = std::filesystem;

namespace levin::tensorboard {
namespace {

const std::string name_begins = "events.out.tfevents.";

std::vector<std::string> event_files_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (const auto& entry : entries_of(folder, failed)) {
    const std::string name = entry.path().filename().string();
    if (name.compare(0, name_begins.size(), name_begins) == 0 && entry.is_regular_file(failed)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

void cut_file(const fs::path& file, uint64_t bytes) {
  std::error_code failed;
  uninterrupted(failed, [&] { fs::resize_file(file, bytes, failed); });
  if (failed) throw Error(LEVIN_E_IO, "cannot cut " + file.string() + ": " + failed.message());
}

long long seconds_of(const std::string& name) { return std::atoll(name.c_str() + name_begins.size()); }

}  // namespace

bool EventFiles::is_own(const std::string& name) const {
  const std::string mark = written_by(writer_);
  std::string head(512, '\0');
  std::ifstream in;
  uninterrupted([&] { return in.open(folder_ / name, std::ios::binary), in ? 0 : -1; });
  in.read(&head[0], static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<size_t>(in.gcount()));
  if (head.size() < 12) return false;
  const auto size =
      static_cast<size_t>(static_cast<unsigned char>(head[0]));  // the first record is shorter than 256 bytes
  return size >= mark.size() && head.size() >= 12 + size &&
         head.compare(12 + size - mark.size(), mark.size(), mark) == 0;
}

std::vector<std::string> EventFiles::own() const {
  std::vector<std::string> names = event_files_in(folder_);
  names.erase(std::remove_if(names.begin(), names.end(), [this](const std::string& n) { return !is_own(n); }),
              names.end());
  return names;
}

std::vector<std::string> EventFiles::cut(const std::vector<EventFile>& kept) const {
  std::vector<std::string> missing;
  std::error_code failed;
  for (const EventFile& file : kept) {
    const uint64_t size = fs::file_size(folder_ / file.name, failed);
    if (failed)
      missing.push_back(file.name + " is gone");
    else if (size < file.bytes)
      missing.push_back(file.name + " has " + std::to_string(size) + " of " + std::to_string(file.bytes) + " bytes");
    else
      cut_file(folder_ / file.name, file.bytes);
  }
  for (const std::string& name : own()) {
    const auto same = [&](const EventFile& file) { return file.name == name; };
    if (std::none_of(kept.begin(), kept.end(), same)) remove_file(folder_ / name);
  }
  return missing;
}

std::string EventFiles::set_aside() const {
  const std::vector<std::string> names = own();
  if (names.empty()) return {};
  std::string aside;
  for (int n = 1; aside.empty() || fs::exists(folder_ / aside); ++n) aside = "earlier-" + std::to_string(n);
  fs::create_directory(folder_ / aside);
  for (const std::string& name : names) fs::rename(folder_ / name, folder_ / aside / name);
  return aside;
}

std::unique_ptr<loggers::AppendFile> EventFiles::create(fs::path& path) const {
  char host[256] = "localhost";
  gethostname(host, sizeof host - 1);
  long long seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  for (const std::string& name : event_files_in(folder_)) seconds = std::max(seconds, seconds_of(name) + 1);
  char start[64];
  std::snprintf(start, sizeof start, "%s%010lld.", name_begins.c_str(), seconds);
  for (int i = 0; i < 1000; ++i) {
    path = folder_ / (start + std::string(host) + "." + std::to_string(getpid()) + "." + std::to_string(i));
    if (auto file = loggers::AppendFile::open(path, O_EXCL)) return file;
    if (errno != EEXIST) break;
  }
  throw Error(LEVIN_E_IO, "cannot make the event file " + path.string() + ": " + std::strerror(errno));
}

}  // namespace levin::tensorboard
