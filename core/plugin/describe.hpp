// Describes a plugin by running its code. Used only in a child process or while the plugin is built.
#pragma once
#include <filesystem>
#include <string>

namespace levin::core {

// Loads the file into this process, checks its description (P9 to P12) and returns the description as JSON text. Throws
// Error{plugin}. A file that crashes or exits ends this process too.
std::string describe_file(const std::filesystem::path& path);

// Describes the file in a child process and stores the text in the file's section .levin.description. If `sources`, the
// folder of the plugin's sources, is in a Git repository, the section .levin.sources holds its absolute path, so that a
// run can record the state of the sources. Replaces the file atomically, and only if a text has changed.
void embed_description(const std::filesystem::path& path, const std::string& objcopy, const std::string& sources = "");

// From now on this process cannot open network connections, start programs or other processes, or change files or other
// processes: such calls fail with EACCES. CPU time and memory are limited. If Levin was built without libseccomp or the
// kernel has no seccomp, only the limits apply.
void confine();

// `host describe FILE`, which runs in the child: prints the description or {"problem": ...} and ends the process. The
// file's code is confined unless trust is true.
int run_describe(const std::filesystem::path& path, bool trust);
// `host embed-description FILE --objcopy PROGRAM [--sources FOLDER]`: prints a problem to stderr and returns the exit
// code.
int run_embed(const std::filesystem::path& path, const std::string& objcopy, const std::string& sources = "");

}  // namespace levin::core
