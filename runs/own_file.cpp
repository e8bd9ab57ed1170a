#include "runs/own_file.hpp"

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"

namespace levin::core {

namespace fs = std::filesystem;

bool is_own_file(const fs::path& run, const fs::path& file) {
  if (!is_file(file)) return false;
  std::error_code unknown;
  if (!fs::is_symlink(file, unknown)) return true;
  const fs::path target = fs::canonical(file, unknown), folder = fs::canonical(run, unknown);
  return !unknown && starts_with(target.string(), folder.string() + "/");
}

std::string read_own_file(const fs::path& run, const fs::path& file) {
  const std::string name = file.filename().string();
  std::error_code unknown;
  if (is_file(file) && !is_own_file(run, file))
    throw Error(ErrorCode::run_file_unsafe, name + " is a link that leads out of the run folder: it is not read");
  if (is_file(file) && fs::file_size(file, unknown) > uintmax_t{64} << 20)
    throw Error(ErrorCode::run_file_unsafe, name + " is larger than 64 MiB: it is damaged");
  return read_file(file);
}

}  // namespace levin::core
