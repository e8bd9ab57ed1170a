#include "core/run_folder/leftover_files.hpp"

#include <system_error>

#include "core/base/error.hpp"
#include "sdk/include/levin/uninterrupted.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

// Returns the kind of entry; "" = acceptable.
std::string strange_kind(const fs::path& path) {
  std::error_code unknown;
  const fs::file_status own = fs::symlink_status(path, unknown);
  if (fs::is_symlink(own)) {
    if (fs::is_directory(path, unknown)) return "";
    const fs::path target = fs::read_symlink(path, unknown);
    return "a link to '" + target.string() + "'";
  }
  if (fs::is_fifo(own)) return "a FIFO";
  if (fs::is_socket(own)) return "a socket";
  return fs::is_block_file(own) || fs::is_character_file(own) ? "a device" : "";
}

}  // namespace

void refuse_leftover_files(const fs::path& folder) {
  std::error_code failed;
  for (const fs::directory_entry& entry : entries_of(folder, failed)) {
    const std::string kind = strange_kind(entry.path());
    if (!kind.empty())
      throw Error(ErrorKind::run, entry.path().string() + " is " + kind +
                                      ", and a run would write through it or wait for it; remove it, or give the run "
                                      "another folder with --trainer.log_version");
  }
}

}  // namespace levin::core
