#include "address.hpp"

#include <algorithm>
#include <cctype>

#include "checksum.hpp"
#include "levin/error.hpp"

namespace download {
namespace {

constexpr size_t most_of_name = 100;  // characters of the file's name in the name of its copy

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string checked_sha256(const std::string& digits, const std::string& url) {
  const bool is_hexadecimal =
      std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
  if (digits.size() == 64 && is_hexadecimal) return lower(digits);
  throw levin::Error(LEVIN_E_INVALID, url + ": a SHA-256 has 64 hexadecimal digits, and here are " +
                                          std::to_string(digits.size()) + (is_hexadecimal ? "" : " other characters") +
                                          " behind sha256=");
}

// Returns the end of what the server is asked for without the query.
size_t path_end(const std::string& url) { return std::min(url.find('?'), url.size()); }

}  // namespace

bool is_url(const std::string& text) {
  const std::string scheme = lower(text.substr(0, 8));
  return scheme.rfind("http://", 0) == 0 || scheme == "https://";
}

Address::Address(const std::string& text) : url(text.substr(0, text.find('#'))) {
  if (std::any_of(url.begin(), url.end(), [](unsigned char c) { return c <= ' ' || c == 0x7f; }))
    throw levin::Error(LEVIN_E_INVALID, shown() + ": an address has no spaces: write %20");
  const std::string behind = url.size() < text.size() ? text.substr(url.size() + 1) : "";
  for (size_t begin = 0; begin < behind.size();) {
    const size_t end = std::min(behind.find('&', begin), behind.size()),
                 equals = std::min(behind.find('=', begin), end);
    take(behind.substr(begin, equals - begin), equals < end ? behind.substr(equals + 1, end - equals - 1) : "");
    begin = end + 1;
  }
}

void Address::take(const std::string& name, const std::string& value) {
  if (name == "sha256")
    sha256 = checked_sha256(value, shown());
  else if (name == "subdirectory")
    subdirectory = value;
  else if (name == "array")
    array = value;
  else
    throw levin::Error(LEVIN_E_INVALID, shown() + ": '" + name + "' is not known; behind # of an address stand " +
                                            "sha256=DIGITS, subdirectory=PATH and array=NAME, with & between them");
}

std::string Address::file() const {
  const size_t host = url.find("://") + 3, path = url.find('/', host);
  if (path >= path_end(url)) return "";
  const size_t begin = url.rfind('/', path_end(url) - 1) + 1;
  return url.substr(begin, path_end(url) - begin);
}

std::string Address::shown() const {
  const size_t host = url.find("://") + 3, path = std::min(url.find_first_of("/?", host), url.size());
  const size_t user_end = url.rfind('@', path);
  const std::string rest = url.substr(user_end != url.npos && user_end >= host ? user_end + 1 : host);
  const size_t query = rest.find('?');
  return url.substr(0, host) + (query == rest.npos ? rest : rest.substr(0, query) + "?...");
}

std::string Address::path_of_copy() const {
  std::string name = file();
  if (name.size() > most_of_name) name = name.substr(name.size() - most_of_name);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '-' && c != '_') c = '_';
  if (name.find_first_not_of('.') == name.npos) name = "file";
  return sha256_of_text(url + '#' + sha256).substr(0, 16) + "/" + name;
}

}  // namespace download
