// Describing a plugin by running it: only ever in a child process, or while the plugin is built.
#pragma once
#include <filesystem>
#include <string>

namespace levin::core {

// Loads the file into this process, checks what it says of itself (P9 to P12) and returns it as JSON text. Throws
// Error{plugin}; a file that crashes or exits takes the process with it.
std::string describe_file(const std::filesystem::path& path);

// Describes the file in a child and stores the text in its section .levin.description; replaces the file atomically and
// leaves it alone when nothing changed.
void embed_description(const std::filesystem::path& path, const std::string& objcopy);

// `host describe FILE`: the child's side. Prints the description, or {"problem": ...}; the exit code.
int run_describe(const std::filesystem::path& path);
// `host embed-description FILE --objcopy PROGRAM`: prints a problem to stderr; the exit code.
int run_embed(const std::filesystem::path& path, const std::string& objcopy);

}  // namespace levin::core
