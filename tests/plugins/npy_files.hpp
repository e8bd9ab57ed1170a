// .npy files for the tests of the npy plugin.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

// A header as NumPy writes it, with the given literal.
inline std::string npy_header(const std::string& literal, char major = 1) {
  const size_t width = major == 1 ? 2 : 4;
  std::string text = literal;
  while ((8 + width + text.size() + 1) % 64 != 0) text += ' ';
  text += '\n';
  std::string out = std::string("\x93NUMPY") + major + '\0';
  for (size_t i = 0; i < width; ++i) out += static_cast<char>(text.size() >> 8 * i & 0xff);
  return out + text;
}

template <class T>
std::string npy_file(const std::string& descr, const std::string& shape, const std::vector<T>& values,
                     const std::string& fortran = "False") {
  return npy_header("{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }") +
         std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}
