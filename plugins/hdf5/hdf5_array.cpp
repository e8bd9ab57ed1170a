#include "hdf5_array.hpp"

#include "levin/error.hpp"

namespace hdf5 {
namespace {

// Returns the name of the data set to open.
std::string choose(const File& file, const Place& place, const std::string& usual) {
  if (!place.name.empty()) return place.name;
  return arrays::usual_or_only(file.names(), usual);
}

// Returns true if the bits of an integer are all bytes of its size, and those of a float sign, exponent and fraction,
// in this order. The library would read a data set beyond its bytes if the file claimed a size that is not its type's.
bool fills_its_bytes(hid_t type, H5T_class_t kind, size_t bits) {
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64) return false;
  if (kind == H5T_ENUM) return true;  // a bool: one byte
  if (H5Tget_precision(type) != bits || H5Tget_offset(type) != 0) return false;
  if (kind != H5T_FLOAT) return true;
  size_t sign = 0, exponent = 0, exponent_bits = 0, fraction = 0, fraction_bits = 0;
  if (H5Tget_norm(type) != H5T_NORM_IMPLIED ||
      H5Tget_fields(type, &sign, &exponent, &exponent_bits, &fraction, &fraction_bits) < 0)
    return false;
  return fraction == 0 && exponent == fraction_bits && sign == exponent + exponent_bits && sign + 1 == bits &&
         exponent_bits > 1 && exponent_bits < 16 && H5Tget_ebias(type) == (size_t{1} << (exponent_bits - 1)) - 1;
}

}  // namespace

Hdf5Array::Hdf5Array(const Place& place, const std::string& usual)
    : file_(std::make_shared<const File>(place.path)), name_(choose(*file_, place, usual)), set_(file_->open(name_)) {
  name_ = place.path + ":" + name_;
  read_type();
  read_shape();
  check_shape();
}

void Hdf5Array::read_type() {
  const std::lock_guard<std::mutex> held(library_lock());
  const hid_t type = H5Dget_type(set_.id());
  const H5T_class_t kind = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
  const size_t bits = type < 0 ? 0 : H5Tget_size(type) * 8;
  const bool is_unsigned = kind == H5T_INTEGER && H5Tget_sign(type) == H5T_SGN_NONE;
  const bool is_whole = type >= 0 && fills_its_bytes(type, kind, bits);
  // h5py keeps bools as an enumeration of FALSE and TRUE.
  const bool is_bool = kind == H5T_ENUM && H5Tget_nmembers(type) == 2 && bits == 8;
  if (type >= 0) H5Tclose(type);
  if (kind != H5T_INTEGER && kind != H5T_FLOAT && !is_bool)
    throw levin::Error(LEVIN_E_IO, name_ + " holds " +
                                       (kind == H5T_STRING     ? "texts"
                                        : kind == H5T_COMPOUND ? "a structured type"
                                        : kind == H5T_ENUM     ? "an enumeration"
                                                               : "no numbers") +
                                       "; integers, floats and bools are read");
  if (!is_whole)
    throw levin::Error(LEVIN_E_IO, name_ + " is damaged, or its numbers of " + std::to_string(bits / 8) +
                                       " bytes are of an unusual format: integers and bools of 1 to 8 bytes and floats "
                                       "of up to 8 bytes are read");
  integer_ = kind != H5T_FLOAT;
  dtype_ = is_bool ? "bool" : (kind == H5T_FLOAT ? "float" : is_unsigned ? "uint" : "int") + std::to_string(bits);
}

void Hdf5Array::read_shape() {
  const std::lock_guard<std::mutex> held(library_lock());
  const hid_t space = H5Dget_space(set_.id());
  const int n = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
  hsize_t sizes[H5S_MAX_RANK] = {};
  const bool read = n >= 0 && H5Sget_simple_extent_dims(space, sizes, nullptr) == n;
  if (space >= 0) H5Sclose(space);
  if (!read) file_->fail("is damaged: a shape cannot be read");
  for (int i = 0; i < n; ++i) {
    if (sizes[i] > static_cast<hsize_t>(INT64_MAX)) file_->fail("is damaged: a size is too large");
    shape_.push_back(static_cast<int64_t>(sizes[i]));
  }
}

void Hdf5Array::read_as(int64_t row, hid_t type, void* out) const {
  std::vector<hsize_t> begin(shape_.size(), 0), count(shape_.begin(), shape_.end());
  begin[0] = static_cast<hsize_t>(row);
  count[0] = 1;
  const auto size = static_cast<hsize_t>(row_size());
  const std::lock_guard<std::mutex> held(library_lock());
  const hid_t space = H5Dget_space(set_.id()), memory = H5Screate_simple(1, &size, nullptr);
  // An enumeration is read as the bytes that it is kept as.
  const bool selected = H5Sselect_hyperslab(space, H5S_SELECT_SET, begin.data(), nullptr, count.data(), nullptr) >= 0;
  bool read = false;
  if (selected && dtype_ == "bool") {
    std::vector<uint8_t> bytes(size);
    const hid_t stored = H5Dget_type(set_.id());
    read = H5Dread(set_.id(), stored, memory, space, H5P_DEFAULT, bytes.data()) >= 0;
    H5Tclose(stored);
    for (size_t i = 0; i < size; ++i)
      type == H5T_NATIVE_FLOAT_g ? static_cast<float*>(out)[i] = bytes[i] : static_cast<double*>(out)[i] = bytes[i];
  } else if (selected) {
    read = H5Dread(set_.id(), type, memory, space, H5P_DEFAULT, out) >= 0;
  }
  H5Sclose(memory);
  H5Sclose(space);
  if (!read)
    throw levin::Error(LEVIN_E_IO, name_ + ": row " + std::to_string(row) +
                                       " cannot be read: the file is damaged, or compressed by a filter that this "
                                       "machine does not have");
}

std::vector<std::string> set_names(const std::string& path) { return File(path).names(); }

}  // namespace hdf5
