#include "core/checkpoint/save_queue.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/checkpoint/container/atomic_file.hpp"
#include "core/checkpoint/container/file_bytes.hpp"
#include "sdk/include/levin/util/uninterrupted.hpp"

namespace levin::core {
namespace {

constexpr uint64_t chunk_bytes = 1u << 20;

void copy_to(const std::string& file, const std::string& path) {
  const FileBytes from(file);
  AtomicFile to(path, from.size());
  for (uint64_t done = 0; done < from.size(); done += chunk_bytes) {
    const std::string chunk = from.read(done, std::min(chunk_bytes, from.size() - done));
    to.write_at(done, chunk.data(), chunk.size());
  }
  to.commit();
}

[[noreturn]] void fail(const std::string& path, const std::string& what, int error) {
  throw Error(code_of_write(error), path + ": " + what + ": " + std::strerror(error) + advice_on_write(error));
}

}  // namespace

void name_also(const std::string& file, const std::string& path) {
  const std::string folder = folder_of(path);
  make_folders(folder);
  const std::string aside = temporary_in(folder);
  // If linking fails for any reason, a copy is tried; only the copy's failure is reported.
  if (uninterrupted([&] { return ::link(file.c_str(), aside.c_str()); }) != 0) return copy_to(file, path);
  const int error = uninterrupted([&] { return ::rename(aside.c_str(), path.c_str()); }) == 0 ? 0 : errno;
  remove_file(aside);  // it still exists if both names are the same file already
  if (error != 0) fail(path, "cannot take this name", error);
  if (const int unsynced = sync_folder(folder)) fail(path, "named, but its folder cannot be synced", unsynced);
}

}  // namespace levin::core
