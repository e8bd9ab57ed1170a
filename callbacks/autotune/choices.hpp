// Choices of earlier runs, kept in the user's cache folder.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace levin::autotune {

// Returns $XDG_CACHE_HOME/levin/autotune.json, else ~/.cache/levin/autotune.json; empty without a home folder.
std::filesystem::path choices_file();

// What the processor is called and can do, and how many of them this process may use.
std::string machine();

// Returns what was chosen for this key; nullopt if nothing was. damage: receives why the file cannot be used, or "".
std::optional<nlohmann::json> read_choice(const std::filesystem::path& file, const nlohmann::json& key,
                                          std::string& damage);

// Adds a choice, and forgets the oldest of more than 200. Of two processes that write at once, one is lost. Returns why
// the file was not written; "" = it was.
std::string keep_choice(const std::filesystem::path& file, const nlohmann::json& key, const nlohmann::json& choice);

}  // namespace levin::autotune
