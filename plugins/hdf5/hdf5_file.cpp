#include "hdf5_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "../common/arrays/array.hpp"
#include "../common/not_opened.hpp"
#include "levin/error.hpp"

namespace hdf5 {
namespace {

constexpr size_t most_names = 1000;

// Collects the data sets, and the links, which open() refuses with the reason: no link is followed.
herr_t visit(hid_t file, const char* name, const H5L_info_t* link, void* out) {
  auto& names = *static_cast<std::vector<std::string>*>(out);
  H5O_info_t object;
  const bool is_known = link->type == H5L_TYPE_HARD && H5Oget_info_by_name(file, name, &object, H5P_DEFAULT) >= 0;
  if (!is_known || object.type == H5O_TYPE_DATASET) names.emplace_back(name);  // unknown: open() says why
  return names.size() >= most_names ? 1 : 0;
}

// Returns the name of a filter that compresses a data set and that this machine does not have; "" = it has all.
std::string missing_filter(hid_t settings) {
  const int n = settings < 0 ? 0 : H5Pget_nfilters(settings);
  for (int i = 0; i < n; ++i) {
    char name[64] = "";
    unsigned flags = 0;
    size_t values = 0;
    const H5Z_filter_t id =
        H5Pget_filter2(settings, static_cast<unsigned>(i), &flags, &values, nullptr, sizeof name, name, nullptr);
    if (id >= 0 && H5Zfilter_avail(id) <= 0) return *name ? name : "number " + std::to_string(id);
  }
  return "";
}

}  // namespace

std::mutex& library_lock() {
  static std::mutex lock;
  return lock;
}

Handle::~Handle() {
  if (id_ < 0) return;
  const std::lock_guard<std::mutex> held(library_lock());
  close_(id_);
}

Place::Place(const std::string& text) : path(text) {
  struct stat st {};
  const size_t at = text.rfind(':');
  if (at == text.npos || stat(text.c_str(), &st) == 0) return;
  path = text.substr(0, at);
  name = text.substr(at + 1);
  name.erase(0, name.find_first_not_of('/'));
}

File::File(const std::string& path)
    : path_(path), file_([this] {
        if (stat(path_.c_str(), &opened_) != 0) common::fail_to_open(path_ + " cannot be opened", errno);
        if (!S_ISREG(opened_.st_mode)) fail("is not a file");
        const std::lock_guard<std::mutex> held(library_lock());
        H5PLset_loading_state(0);                     // no file makes the library load filters from other files
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // the library would print its errors
        if (H5Fis_hdf5(path_.c_str()) <= 0) fail("is no HDF5 file, or cannot be read");
        return Handle(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), &H5Fclose);
      }()) {
  if (!file_.valid()) fail("is truncated or damaged, or is being written");
}

void File::fail(const std::string& what) const { throw levin::Error(LEVIN_E_IO, path_ + " " + what); }

std::vector<std::string> File::names() const {
  const std::lock_guard<std::mutex> held(library_lock());
  return names_under_lock();
}

std::vector<std::string> File::names_under_lock() const {
  std::vector<std::string> names;
  if (H5Lvisit(file_.id(), H5_INDEX_NAME, H5_ITER_NATIVE, &visit, &names) < 0)
    fail("is damaged: its groups cannot be read");
  std::sort(names.begin(), names.end());
  return names;
}

void File::fail_without(const std::string& name) const {
  const std::vector<std::string> known = names_under_lock();
  if (known.empty()) fail("has no data set");
  fail("has no data set '" + name + "'; it has " + arrays::listed(known) + ": name one, as in " + path_ + ":" +
       known[0]);
}

void File::fail_unreadable(const std::string& name) const {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  fail("has '" + name + "', which HDF5 " + std::to_string(major) + "." + std::to_string(minor) + "." +
       std::to_string(release) +
       " cannot read: the file is damaged, or was written by a newer HDF5, or it is a virtual data set, which is not "
       "read. With h5py, write the numbers into h5py.File(path, \"w\", libver=\"earliest\")");
}

// Looks at each part of the path: a link to another file is refused before it is followed.
void File::check_links(const std::string& name) const {
  for (size_t end = 0; end != name.npos;) {
    end = name.find('/', end + 1);
    const std::string part = name.substr(0, end);
    H5L_info_t link;
    if (H5Lget_info(file_.id(), part.c_str(), &link, H5P_DEFAULT) < 0) fail_without(name);
    if (link.type == H5L_TYPE_EXTERNAL)
      fail("has '" + part + "' in another file (an external link), which is not read: name that file");
    if (link.type != H5L_TYPE_HARD)
      fail("has '" + part + "' behind a soft link, which is not followed: name the data set itself");
  }
}

Handle File::open(const std::string& name) const {
  const std::lock_guard<std::mutex> held(library_lock());
  check_links(name);
  H5O_info_t object;
  if (H5Oget_info_by_name(file_.id(), name.c_str(), &object, H5P_DEFAULT) < 0) fail_unreadable(name);
  if (object.type != H5O_TYPE_DATASET) fail_without(name);
  const hid_t id = H5Dopen2(file_.id(), name.c_str(), H5P_DEFAULT);
  if (id < 0) fail_unreadable(name);
  const hid_t settings = H5Dget_create_plist(id);
  const int outside = settings < 0 ? -1 : H5Pget_external_count(settings);
  const bool is_virtual = settings >= 0 && H5Pget_layout(settings) == H5D_VIRTUAL;
  const std::string filter = missing_filter(settings);
  if (settings >= 0) H5Pclose(settings);
  if (outside == 0 && !is_virtual && filter.empty()) return Handle(id, &H5Dclose);
  H5Dclose(id);
  if (is_virtual) fail("has '" + name + "' as a virtual data set of other files, which is not read: name these files");
  if (outside != 0) fail("has the numbers of '" + name + "' in another file (external storage), which is not read");
  fail("has '" + name + "' compressed by the filter " + filter +
       ", which this machine does not have. With h5py, write it with compression=\"gzip\"");
}

void File::check_unchanged() const {
  struct stat now {};
  if (stat(path_.c_str(), &now) == 0 && now.st_ino == opened_.st_ino && now.st_size == opened_.st_size &&
      now.st_mtim.tv_sec == opened_.st_mtim.tv_sec && now.st_mtim.tv_nsec == opened_.st_mtim.tv_nsec)
    return;
  fail("was changed while it was in use: write new data to another file");
}

}  // namespace hdf5
