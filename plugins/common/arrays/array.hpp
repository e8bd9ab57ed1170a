// The rows of an array: its elements along the first dimension.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace arrays {

class Array {
 public:
  virtual ~Array() = default;
  virtual const std::string& name() const = 0;   // "set.npz:x.npy"
  virtual const std::string& dtype() const = 0;  // "uint8"
  virtual bool integer() const = 0;              // the elements are integers or bools
  virtual std::vector<int64_t> shape() const = 0;
  // Writes a row in C order. Thread-safe.
  virtual void read(int64_t row, float* out) const = 0;
  virtual void read(int64_t row, double* out) const = 0;
  // Throws levin::Error if the file was changed after it was opened.
  virtual void check_unchanged() const = 0;

  int64_t rows() const { return shape()[0]; }
  std::vector<int64_t> row_shape() const;
  int64_t row_size() const { return row_size_; }
  std::string text() const;  // "60000 x 28 x 28 of uint8"

 protected:
  // Throws levin::Error that begins with the array's name for an array without rows, or with more than 4294967295 rows
  // or 7 dimensions.
  void check_shape();

 private:
  int64_t row_size_ = 1;
};

// Returns the array to open in a file with arrays of these names if none was named: the usual one ("x", "y" or
// "group"), or the only one. The array y is no stand-in for inputs, and x none for others.
std::string usual_or_only(const std::vector<std::string>& names, const std::string& usual);

std::string joined(const std::vector<int64_t>& shape);  // "28 x 28"

// Returns the first 20 of the names, for messages: "a, b and 3 more".
std::string listed(const std::vector<std::string>& names);

// How a file format names and opens its arrays.
struct Format {
  // place: "x.npy" or "set.npz:x". usual: the name of the array if `place` has none (usual_or_only).
  std::shared_ptr<const Array> (*open)(const std::string& place, const std::string& usual);
  // Returns the file of a place.
  std::string (*path_of)(const std::string& place);
  // Returns the names of the arrays in a file; none for a file whose array has no name. Throws levin::Error.
  std::vector<std::string> (*names)(const std::string& path);
};

}  // namespace arrays
