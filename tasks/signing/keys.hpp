// Ed25519 keys in PEM files, as OpenSSL's own program makes and reads them.
#pragma once
#include <filesystem>
#include <memory>
#include <string>

struct evp_pkey_st;

namespace levin::core::tasks {

struct FreeKey {
  void operator()(evp_pkey_st* key) const;
};
using Key = std::unique_ptr<evp_pkey_st, FreeKey>;

// Writes a new pair. Only this user can read the private key. Throws Error{usage} if a file is there already.
void make_key_pair(const std::filesystem::path& private_file, const std::filesystem::path& public_file);

// Each throws Error{usage}, which names `option`, if the file has no such key. A private key that other users can read
// is refused.
Key read_private_key(const std::string& option, const std::string& file);
Key read_public_key(const std::string& option, const std::string& file);

std::string signature_of(const Key& private_key, const std::string& text);  // 64 bytes
bool verifies(const Key& public_key, const std::string& text, const std::string& signature);

}  // namespace levin::core::tasks
