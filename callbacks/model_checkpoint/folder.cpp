#include "folder.hpp"

#include <filesystem>
#include <system_error>

#include "levin/util/uninterrupted.hpp"
#include "saved_note.hpp"

namespace fs = std::filesystem;

namespace levin::model_checkpoint {

bool Folder::exists(const std::string& file) const {
  std::error_code error;
  if (pending_.count(file) != 0) return true;
  return fs::exists(fs::symlink_status(file, error)) && !is_abandoned(file);
}

// Another callback with the same folder may have rewritten the file.
bool Folder::is_abandoned(const std::string& file) const {
  const auto found = abandoned_.find(file);
  if (found == abandoned_.end()) return false;
  const auto note = read_note(file);
  return note && note->saves == found->second;
}

void Folder::abandon_after(const std::string& checkpoint, const std::string& run) {
  const auto begin = read_note(checkpoint);
  if (begin && begin->run == run) abandon_below(path_, *begin);
}

void Folder::abandon_below(const std::string& folder, const SavedNote& begin) {
  std::error_code error, unknown;
  for (const fs::directory_entry& entry : entries_of(folder, error)) {
    const std::string file = entry.path().string();
    if (entry.is_directory(unknown) && !entry.is_symlink(unknown)) abandon_below(file, begin);
    const auto note = entry.path().extension() == ".ckpt" ? read_note(file) : std::nullopt;
    if (!note || note->run != begin.run) continue;
    if (note->saves > begin.saves || note->global_step > begin.global_step) abandoned_[file] = note->saves;
  }
}

std::string Folder::moved(const std::string& file, const std::string& before) const {
  const fs::path inside = fs::path(file).lexically_relative(before);
  if (inside.empty() || *inside.begin() == "..") return file;
  const std::string now = (fs::path(path_) / inside).string();
  std::error_code error;
  return fs::exists(now, error) ? now : file;
}

bool Folder::same_save(const std::string& a, const std::string& b) const {
  const auto first = read_note(a), second = read_note(b);
  return first && second && first->run == second->run && first->saves == second->saves;
}

bool Folder::has_checkpoints_of_others(const std::string& run) const {
  std::error_code error, unknown;
  for (fs::recursive_directory_iterator it(path_, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() != ".ckpt" || it->is_directory(unknown)) continue;
    const auto note = read_note(it->path().string());
    if (!note || note->run != run) return true;
  }
  return false;
}

bool Folder::owns(const std::string& file) const {
  if (fs::path(file).extension() != ".ckpt") return false;
  std::error_code error, parent_error;
  const fs::path folder = fs::weakly_canonical(fs::absolute(path_), error);
  const fs::path parent = fs::weakly_canonical(fs::absolute(file).parent_path(), parent_error);
  if (error || parent_error) return false;
  const fs::path inside = parent.lexically_relative(folder);
  return !inside.empty() && *inside.begin() != "..";
}

std::string Folder::free_name(const std::function<std::string(int)>& of, const std::string& allowed) const {
  std::string name = of(0);
  for (int version = 1; exists(name) && name != allowed; ++version) name = of(version);
  return name;
}

void link_file(const std::string& target, const std::string& link) {
  const fs::path relative = fs::path(target).lexically_relative(fs::path(link).parent_path());
  const std::string aside = link + ".new";
  remove_file(aside);
  std::error_code error;
  uninterrupted(error, [&] { fs::create_symlink(relative, aside, error); });
  if (error) uninterrupted(error, [&] { fs::copy_file(target, aside, fs::copy_options::overwrite_existing, error); });
  if (!error) uninterrupted(error, [&] { fs::rename(aside, link, error); });
  if (error) throw fs::filesystem_error("cannot name a checkpoint", target, link, error);
}

}  // namespace levin::model_checkpoint
