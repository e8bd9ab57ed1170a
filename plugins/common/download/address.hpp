// Addresses with what is said of their file, as pip writes it: https://host/a.zip#sha256=DIGITS&subdirectory=a/b.
// And https://host/a.npz#array=x names an array in it.
#pragma once
#include <string>

namespace download {

// Returns true for http:// and https:// addresses.
bool is_url(const std::string& text);

struct Address {
  // Throws levin::Error for a space, for a part behind # that is not known, and for a checksum that is not of 64
  // hexadecimal digits.
  explicit Address(const std::string& text);
  // Returns the last part of the path: "a.zip" of https://host/x/a.zip?download=1.
  std::string file() const;
  // Returns the address for messages and logs: without a user's name, password and query, which may be secret.
  std::string shown() const;
  // Returns FOLDER/FILE: a folder that no other address has, and the name of the file.
  std::string path_of_copy() const;

  std::string url;           // what the server is asked for
  std::string sha256;        // in lower case; "" = none is given
  std::string subdirectory;  // within an archive; "" = all of it
  std::string array;         // within the file; "" = none is named

 private:
  void take(const std::string& name, const std::string& value);  // what stands behind #
};

}  // namespace download
