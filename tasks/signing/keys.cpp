#include "tasks/signing/keys.hpp"

#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "launch/common/descriptor.hpp"
#include "tasks/server/server_options.hpp"

namespace levin::core::tasks {
namespace {

namespace fs = std::filesystem;

struct FreeMemory {
  void operator()(BIO* memory) const { BIO_free_all(memory); }
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using Memory = std::unique_ptr<BIO, FreeMemory>;
using Context = std::unique_ptr<EVP_MD_CTX, FreeMemory>;

constexpr size_t signature_size = 64;

const unsigned char* bytes(const std::string& text) { return reinterpret_cast<const unsigned char*>(text.data()); }

void require_crypto(bool ok) {
  if (!ok) throw Error(ErrorCode::internal_error, "the cryptography library cannot use Ed25519");
}

// A new file. Secret ones are for this user alone.
void write_new(const fs::path& file, BIO* memory, mode_t mode) {
  const char* data = nullptr;
  const auto size = static_cast<size_t>(BIO_get_mem_data(memory, &data));
  const Descriptor fd(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!fd.open() && errno == EEXIST) throw Error(ErrorCode::output_exists, file.string() + " is there already");
  if (fd.open() && ::write(fd.get(), data, size) == static_cast<ssize_t>(size) && ::fsync(fd.get()) == 0) return;
  const int error = errno;
  if (fd.open()) ::unlink(file.c_str());
  throw Error(code_of_write(error),
              file.string() + " cannot be written: " + std::strerror(error) + advice_on_write(error));
}

// No password is asked for: the workers and scripts that use keys have no terminal.
int no_password(char*, int, int, void*) { return -1; }

Memory memory_of(const std::string& text) {
  Memory out(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  require_crypto(out != nullptr);
  return out;
}

Key require_ed25519(Key key, const std::string& option, const std::string& file, const std::string& kind) {
  if (key && EVP_PKEY_id(key.get()) == EVP_PKEY_ED25519) return key;
  throw Error(ErrorCode::option_value_invalid,
              option + ": " + file + " has no " + kind +
                  " of Ed25519 without a password; host tasks key NAME makes a pair of keys");
}

}  // namespace

void FreeKey::operator()(evp_pkey_st* key) const { EVP_PKEY_free(key); }

void make_key_pair(const fs::path& private_file, const fs::path& public_file) {
  if (fs::exists(fs::symlink_status(public_file)))
    throw Error(ErrorCode::output_exists, public_file.string() + " is there already");
  const Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
  const Memory secret(BIO_new(BIO_s_secmem())), open(BIO_new(BIO_s_mem()));
  require_crypto(key && secret && open &&
                 PEM_write_bio_PrivateKey(secret.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1 &&
                 PEM_write_bio_PUBKEY(open.get(), key.get()) == 1);
  write_new(private_file, secret.get(), 0600);
  write_new(public_file, open.get(), 0644);
}

Key read_private_key(const std::string& option, const std::string& file) {
  check_secret(option, file);
  const std::string text = read_file(file);
  return require_ed25519(Key(PEM_read_bio_PrivateKey(memory_of(text).get(), nullptr, no_password, nullptr)), option,
                         file, "private key");
}

// OpenSSL would take the public half of a private key. Such a file does not belong to a worker.
Key read_public_key(const std::string& option, const std::string& file) {
  const std::string text = read_file(file);
  if (text.find("PRIVATE KEY") != std::string::npos)
    throw Error(ErrorCode::option_value_invalid,
                option + ": " + file + " has a private key; workers need its public key alone");
  return require_ed25519(Key(PEM_read_bio_PUBKEY(memory_of(text).get(), nullptr, no_password, nullptr)), option, file,
                         "public key");
}

std::string signature_of(const Key& private_key, const std::string& text) {
  const Context context(EVP_MD_CTX_new());
  std::string out(signature_size, '\0');
  size_t size = out.size();
  require_crypto(context && EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, private_key.get()) == 1 &&
                 EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(out.data()), &size, bytes(text),
                                text.size()) == 1 &&
                 size == out.size());
  return out;
}

bool verifies(const Key& public_key, const std::string& text, const std::string& signature) {
  const Context context(EVP_MD_CTX_new());
  require_crypto(context && EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, public_key.get()) == 1);
  return EVP_DigestVerify(context.get(), bytes(signature), signature.size(), bytes(text), text.size()) == 1;
}

}  // namespace levin::core::tasks
