#include "checksum.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <memory>
#include <vector>

#include "levin/error.hpp"

namespace common {
namespace {

constexpr const char* mark = "#sha256=";

[[noreturn]] void fail_to_read(const std::string& path) {
  throw levin::Error(LEVIN_E_IO, path + ": the SHA-256 cannot be computed");
}

}  // namespace

CheckedUrl::CheckedUrl(const std::string& text) : url(text.substr(0, text.find(mark))) {
  if (url.size() == text.size()) return;
  sha256 = text.substr(url.size() + std::string(mark).size());
  for (char& c : sha256) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const bool is_hexadecimal =
      std::all_of(sha256.begin(), sha256.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
  if (sha256.size() == 64 && is_hexadecimal) return;
  throw levin::Error(LEVIN_E_INVALID, text + ": a SHA-256 has 64 hexadecimal digits, and here are " +
                                          std::to_string(sha256.size()) + (is_hexadecimal ? "" : " other characters") +
                                          " behind " + mark);
}

std::string sha256_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  if (!in || !context || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1) fail_to_read(path);
  std::vector<char> chunk(size_t{1} << 16);
  while (in.read(chunk.data(), static_cast<std::streamsize>(chunk.size())) || in.gcount() > 0)
    if (EVP_DigestUpdate(context.get(), chunk.data(), static_cast<size_t>(in.gcount())) != 1) fail_to_read(path);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  if (in.bad() || EVP_DigestFinal_ex(context.get(), digest, &length) != 1) fail_to_read(path);
  std::string text;
  for (unsigned int i = 0; i < length; ++i) {
    text += "0123456789abcdef"[digest[i] >> 4];
    text += "0123456789abcdef"[digest[i] & 15];
  }
  return text;
}

}  // namespace common
