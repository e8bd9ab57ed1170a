#include "tasks/signing/commands.hpp"

#include <cstdio>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "core/plugin/checks/elf_file.hpp"
#include "core/plugin/checks/open_file.hpp"
#include "tasks/common/words.hpp"
#include "tasks/signing/keys.hpp"
#include "tasks/signing/signature.hpp"

namespace levin::core::tasks {
namespace {

namespace fs = std::filesystem;

fs::path signature_file(const fs::path& library) { return library.string() + ".sig"; }

int make_keys(const std::vector<std::string>& all) {
  const Words words = read_words(all, {});
  if (words.names.size() != 2)
    throw Error(ErrorCode::argument_missing, "host tasks key: name the file of the new private key, such as alice.key");
  const fs::path file = absolute_path(words.names[1]), open = file.string() + ".pub";
  make_key_pair(file, open);
  std::printf("private key   %s\npublic key    %s\n", printable(file.string()).c_str(),
              printable(open.string()).c_str());
  return 0;
}

// The library may be for another processor than this one.
int sign_library(const std::vector<std::string>& all) {
  const Words words = read_words(all, {{"library"}, {"key"}});
  if (words.names.size() > 1)
    throw Error(ErrorCode::argument_unexpected, "host tasks sign: unexpected '" + words.names[1] + "'");
  if (!words.has("library") || !words.has("key"))
    throw Error(ErrorCode::argument_missing,
                "host tasks sign: --library FILE.so and --key FILE, a private key, are needed");
  const std::string library = absolute_path(*words.get("library")).string();
  if (!is_file(library))
    throw Error(ErrorCode::file_not_read, "--library: there is no file '" + *words.get("library") + "'");
  const Key key = read_private_key("--key", absolute_path(*words.get("key")).string());
  const ElfFile elf = read_elf(OpenFile(library, true).fd(), library);
  if (!elf.has_note) throw Error(ErrorCode::plugin_file_invalid, library + " is no plugin of Levin");
  Signature out{machine_name(elf.machine), sha256_file(library), ""};
  if (out.platform.find(' ') != std::string::npos)
    throw Error(ErrorCode::library_not_allowed, library + " is made for " + out.platform);
  out.bytes = signature_of(key, out.statement());
  write_file_durable(signature_file(library), out.text());
  std::printf("%s\n", printable(signature_file(library).string()).c_str());
  return 0;
}

struct SigningCommand {
  const char* name;
  int (*run)(const std::vector<std::string>&);
};
constexpr SigningCommand signing_commands[] = {{"key", make_keys}, {"sign", sign_library}};

}  // namespace

bool is_signing_command(const std::string& name) {
  for (const SigningCommand& command : signing_commands)
    if (name == command.name) return true;
  return false;
}

int run_signing_command(const std::vector<std::string>& words) {
  for (const SigningCommand& command : signing_commands)
    if (words[0] == command.name) return command.run(words);
  throw Error(ErrorCode::command_unknown, "host tasks has no command '" + words[0] + "'");
}

std::string signature_beside(const fs::path& library, const std::string& sha256) {
  const fs::path file = signature_file(library);
  if (!is_file(file)) return "";
  const auto refuse = [&](const std::string& why) -> std::string {
    throw Error(ErrorCode::library_not_allowed,
                file.string() + ": " + why + "; sign the library again with host tasks sign, or " + "remove the file");
  };
  try {
    const Signature found = read_signature(read_file(file, ErrorCode::library_not_allowed));
    if (found.sha256 == sha256) return found.text();
  } catch (const Error& e) {
    refuse(e.what());
  }
  return refuse("it is the signature of another file");
}

}  // namespace levin::core::tasks
