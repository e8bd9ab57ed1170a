// The users of a private NATS server, and what each may do there.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace levin::core::tasks {

// service: host tasks serve and its drivers. user: who submits jobs, or runs drivers with workers of the server.
enum class ServerUser { service, user, worker };

// The file of this user's credentials, as --token_file takes it: "NAME:PASSWORD".
std::filesystem::path token_file_of(const std::filesystem::path& folder, ServerUser user);

// Returns the credentials, which are made if the file is not there. Only this user of the machine can read the file.
// Throws Error{run} if the file has other content.
std::string token_of(const std::filesystem::path& folder, ServerUser user);

// The users with their permissions, as nats-server's configuration has them.
nlohmann::json authorization_of(const std::filesystem::path& folder);

void write_private(const std::filesystem::path& path, const std::string& text);  // mode 0600. Throws Error{run}

}  // namespace levin::core::tasks
