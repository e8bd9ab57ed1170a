// HDF5 files, read without ever opening another file: external links, external storage and virtual data sets are
// refused.
#pragma once
#define H5_USE_110_API  // the same functions with HDF5 1.10 to 1.14
#include <hdf5.h>
#include <sys/stat.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace hdf5 {

// The library is not thread-safe: every call of it is made under this lock.
std::mutex& library_lock();

// An identifier of the library that is closed with this object, under the lock.
class Handle {
 public:
  Handle() = default;
  explicit Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
  Handle& operator=(Handle&&) = delete;
  ~Handle();
  hid_t id() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

// The place of a data set: "x.h5" or "x.h5:group/x".
struct Place {
  std::string path, name;  // name: "" = not given
  explicit Place(const std::string& text);
};

class File {
 public:
  // Throws levin::Error if the path is no HDF5 file that can be read.
  explicit File(const std::string& path);

  const std::string& path() const { return path_; }
  // Returns the names of the data sets and links, "x" or "group/x", sorted, at most 1000.
  std::vector<std::string> names() const;
  // Opens a data set. Throws levin::Error for one that does not exist or has its numbers in another file.
  Handle open(const std::string& name) const;
  // Throws levin::Error if the file was changed after it was opened.
  void check_unchanged() const;
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::vector<std::string> names_under_lock() const;
  [[noreturn]] void fail_without(const std::string& name) const;
  [[noreturn]] void fail_unreadable(const std::string& name) const;
  void check_links(const std::string& name) const;
  std::string path_;
  struct stat opened_ {};
  Handle file_;
};

}  // namespace hdf5
