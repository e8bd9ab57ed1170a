// Addresses with what is said of their file, as pip writes it: https://host/a.zip#sha256=DIGITS&subdirectory=a/b.
#pragma once
#include <string>

namespace download {

// Returns true for http:// and https:// addresses.
bool is_url(const std::string& text);

struct Address {
  // Throws levin::Error for a part behind # that is not known, and for a checksum that is not of 64 hexadecimal digits.
  explicit Address(const std::string& text);
  // Returns the last part of the path: "a.zip" of https://host/x/a.zip?download=1.
  std::string file() const;
  // Cuts ":x_train" off, the name of an array behind that of the file, and returns it; "" = there is none.
  std::string cut_array();
  // Returns the address for messages and logs: without a user's name, password and query, which may be secret.
  std::string shown() const;
  // Returns a file name that no other address has, with the ending of file().
  std::string unique_name() const;

  std::string url;           // what the server is asked for
  std::string sha256;        // in lower case; "" = none is given
  std::string subdirectory;  // within an archive; "" = all of it
};

}  // namespace download
