#include <openssl/evp.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "core/base/file.hpp"
#include "core/base/text.hpp"

namespace levin::core {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

void require(bool ok, const std::string& path) {
  if (!ok) throw Error(ErrorCode::system_call_failed, path + ": the cryptography library cannot compute SHA-256");
}

}  // namespace

std::string sha256_file(const std::string& path) {
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rbe"));
  if (!file) throw Error(ErrorCode::file_not_read, path + ": cannot open: " + std::strerror(errno));
  const std::unique_ptr<EVP_MD_CTX, Close> context(EVP_MD_CTX_new());
  require(context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1, path);
  std::vector<char> chunk(1u << 16);
  while (const size_t n = std::fread(chunk.data(), 1, chunk.size(), file.get()))
    require(EVP_DigestUpdate(context.get(), chunk.data(), n) == 1, path);
  if (std::ferror(file.get())) throw Error(ErrorCode::file_not_read, path + ": cannot read: " + std::strerror(errno));
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  require(EVP_DigestFinal_ex(context.get(), digest, &length) == 1, path);
  return hex_digits({reinterpret_cast<const char*>(digest), length});
}

}  // namespace levin::core
