// host tasks key, which makes a pair of keys, and host tasks sign, which signs a library.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace levin::core::tasks {

bool is_signing_command(const std::string& name);
int run_signing_command(const std::vector<std::string>& words);

// Returns the text of the signature beside a library, or "" if there is none. Throws Error{plugin} if it is damaged or
// that of another file.
std::string signature_beside(const std::filesystem::path& library, const std::string& sha256);

}  // namespace levin::core::tasks
