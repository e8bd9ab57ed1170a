#include "keep_file.hpp"

#include "../common/text_file.hpp"
#include "levin/error.hpp"

namespace fs = std::filesystem;

namespace levin::mlflow {
namespace {

void make_room(const fs::path& to) {
  std::error_code failed;
  fs::remove_all(to, failed);
  fs::create_directories(to.parent_path(), failed);
  if (failed) throw Error(LEVIN_E_IO, "cannot make " + to.parent_path().string() + ": " + failed.message());
}

}  // namespace

void keep_file(const fs::path& from, const fs::path& to, bool is_final) {
  make_room(to);
  std::error_code failed;
  if (is_final) {
    fs::create_hard_link(fs::canonical(from, failed), to, failed);
    if (!failed) return;
  }
  failed.clear();
  fs::copy(from, to, fs::copy_options::recursive, failed);
  if (failed) throw Error(LEVIN_E_IO, "cannot copy " + from.string() + " to " + to.string() + ": " + failed.message());
}

void keep_bytes(const std::string& bytes, const fs::path& to) {
  make_room(to);
  loggers::write_text(to, bytes, std::ios::trunc);
}

}  // namespace levin::mlflow
