#include "checksum.hpp"

#include <openssl/evp.h>

#include <fstream>
#include <memory>
#include <vector>

#include "levin/error.hpp"

namespace download {
namespace {

class Sha256 {
 public:
  Sha256() { check(context_ && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1); }
  void add(const char* data, size_t size) { check(EVP_DigestUpdate(context_.get(), data, size) == 1); }
  std::string digits() {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int length = 0;
    check(EVP_DigestFinal_ex(context_.get(), digest, &length) == 1);
    std::string text;
    for (unsigned int i = 0; i < length; ++i) {
      text += "0123456789abcdef"[digest[i] >> 4];
      text += "0123456789abcdef"[digest[i] & 15];
    }
    return text;
  }

 private:
  static void check(bool ok) {
    if (!ok) throw levin::Error(LEVIN_E_IO, "OpenSSL cannot compute a SHA-256");
  }
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context_{EVP_MD_CTX_new(), &EVP_MD_CTX_free};
};

}  // namespace

std::string sha256_of_text(const std::string& text) {
  Sha256 sum;
  sum.add(text.data(), text.size());
  return sum.digits();
}

std::string sha256_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::vector<char> chunk(size_t{1} << 16);
  Sha256 sum;
  while (in.read(chunk.data(), static_cast<std::streamsize>(chunk.size())) || in.gcount() > 0)
    sum.add(chunk.data(), static_cast<size_t>(in.gcount()));
  if (!in.eof()) throw levin::Error(LEVIN_E_IO, path + " cannot be read for its SHA-256");
  return sum.digits();
}

}  // namespace download
