#include "scan.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "../not_opened.hpp"
#include "decode.hpp"
#include "levin/error.hpp"

namespace common {
namespace {

namespace fs = std::filesystem;

bool is_hidden(const std::string& name) { return name[0] == '.' || name == "__MACOSX" || name == "Thumbs.db"; }

struct Entry {
  std::string name;
  bool folder, file;
};

std::vector<Entry> entries_of(const std::string& dir) {
  std::error_code error;
  std::vector<Entry> entries;
  for (fs::directory_iterator it(dir, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (is_hidden(name)) continue;
    std::error_code lost;  // a broken link counts as a file that cannot be read
    const fs::file_status status = it->status(lost);
    const bool nowhere = status.type() == fs::file_type::not_found || status.type() == fs::file_type::none;
    entries.push_back({name, status.type() == fs::file_type::directory, nowhere || fs::is_regular_file(status)});
  }
  if (error) fail_to_open("cannot read the folder " + dir, error.value());
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
  return entries;
}

class Scanner {
 public:
  Scanner(std::string dir, Scan& out) : dir_(std::move(dir)), out_(out) {}

  void visit(const std::string& below) {
    const std::string dir = below.empty() ? dir_ : dir_ + "/" + below;
    struct stat st {};
    if (stat(dir.c_str(), &st) == 0) {
      const Place place{st.st_dev, st.st_ino};
      if (std::find(above_.begin(), above_.end(), place) != above_.end())
        throw levin::Error(LEVIN_E_IO, dir + " is a link that leads back to a folder above it: remove it");
      above_.push_back(place);
    }
    for (const Entry& entry : entries_of(dir)) look_at(entry, below.empty() ? entry.name : below + "/" + entry.name);
    above_.pop_back();
  }

 private:
  using Place = std::pair<dev_t, ino_t>;

  void look_at(const Entry& entry, const std::string& path) {
    if (entry.folder) return visit(path);
    if (entry.file && has_image_ending(entry.name))
      out_.files.push_back(path);
    else
      ++out_.others[fs::path(entry.name).extension().string()];
  }

  const std::string dir_;
  Scan& out_;
  std::vector<Place> above_;
};

}  // namespace

std::vector<std::string> folders_in(const std::string& dir) {
  std::vector<std::string> names;
  for (const Entry& entry : entries_of(dir))
    if (entry.folder) names.push_back(entry.name);
  return names;
}

std::vector<std::string> images_in(const std::string& dir) {
  std::vector<std::string> names;
  for (const Entry& entry : entries_of(dir))
    if (entry.file && has_image_ending(entry.name)) names.push_back(entry.name);
  return names;
}

Scan scan_images(const std::string& dir) {
  Scan out;
  Scanner(dir, out).visit("");
  std::sort(out.files.begin(), out.files.end());
  return out;
}

void note_others(const std::string& dir, const Scan& scan, std::vector<std::string>& remarks) {
  if (!scan.others.empty()) remarks.push_back(dir + ": left out what is no image: " + listed(scan.others));
}

std::vector<std::string> images_to_predict(const std::string& dir, std::vector<std::string>& remarks) {
  const Scan scan = scan_images(dir);
  if (scan.files.empty()) throw levin::Error(LEVIN_E_IO, dir + " has no image to predict" + but_listed(scan.others));
  note_others(dir, scan, remarks);
  std::vector<std::string> paths;
  for (const std::string& file : scan.files) paths.push_back(dir + "/" + file);
  return paths;
}

std::string named(const std::vector<std::string>& images) {
  constexpr size_t most = 10;
  std::string text = std::to_string(images.size()) + (images.size() == 1 ? " image: " : " images: ");
  for (size_t i = 0; i < std::min(most, images.size()); ++i) text += (i ? ", " : "") + images[i];
  return images.size() > most ? text + " and " + std::to_string(images.size() - most) + " more" : text;
}

}  // namespace common
