// A data set of an HDF5 file.
#pragma once
#include "../common/arrays/array.hpp"
#include "hdf5_file.hpp"

namespace hdf5 {

class Hdf5Array : public arrays::Array {
 public:
  // usual: the name of the data set if `place` has none (arrays::usual_or_only). Throws levin::Error for a file or
  // data set that cannot be read, and for one without numbers.
  Hdf5Array(const Place& place, const std::string& usual);

  const std::string& name() const override { return name_; }
  const std::string& dtype() const override { return dtype_; }
  bool integer() const override { return integer_; }
  std::vector<int64_t> shape() const override { return shape_; }
  void read(int64_t row, float* out) const override { read_as(row, H5T_NATIVE_FLOAT_g, out); }
  void read(int64_t row, double* out) const override { read_as(row, H5T_NATIVE_DOUBLE_g, out); }
  void check_unchanged() const override { file_->check_unchanged(); }

 private:
  void read_type();
  void read_shape();
  void read_as(int64_t row, hid_t type, void* out) const;

  std::shared_ptr<const File> file_;
  std::string name_, dtype_;
  bool integer_ = false;
  std::vector<int64_t> shape_;
  Handle set_;
};

// Returns the names of the data sets of a file. Throws levin::Error for a file that cannot be read.
std::vector<std::string> set_names(const std::string& path);

}  // namespace hdf5
