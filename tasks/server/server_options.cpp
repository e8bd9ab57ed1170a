#include "tasks/server/server_options.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace levin::core::tasks {
namespace {

[[noreturn]] void refuse_option(const std::string& option, const std::string& what) {
  throw Error(ErrorCode::option_value_invalid, "--" + option + ": " + what);
}

}  // namespace

void check_secret(const std::string& option, const std::string& file) {
  struct stat about {};
  if (::stat(file.c_str(), &about) != 0) return;                               // it was there a moment ago
  const bool is_for_group = (about.st_mode & 0070) != 0 && about.st_uid != 0;  // Debian's keys: root and a group
  if ((about.st_mode & 0007) != 0 || is_for_group)
    throw Error(ErrorCode::option_value_invalid, option + ": other users can read " + file + ": chmod 600 " + file);
}

const std::vector<ServerOption>& server_options() {
  static const std::vector<ServerOption> table = {
      {"server", &ServerOptions::server, false},        {"token_file", &ServerOptions::token_file, true},
      {"creds_file", &ServerOptions::creds_file, true}, {"tls_ca", &ServerOptions::tls_ca, true},
      {"tls_cert", &ServerOptions::tls_cert, true},     {"tls_key", &ServerOptions::tls_key, true}};
  return table;
}

bool has_tls(const ServerOptions& options) {
  return starts_with(options.server, "tls://") || !options.tls_ca.empty() || !options.tls_cert.empty();
}

void check_server_options(const ServerOptions& options) {
  for (const ServerOption& option : server_options()) {
    const std::string& file = options.*option.member;
    if (option.is_file && !file.empty() && ::access(file.c_str(), R_OK) != 0)
      refuse_option(option.name, file + " cannot be read: " + std::strerror(errno));
  }
  check_secret("--tls_key", options.tls_key);
  check_secret("--creds_file", options.creds_file);
  if (options.tls_cert.empty() != options.tls_key.empty())
    refuse_option(options.tls_cert.empty() ? "tls_key" : "tls_cert", "--tls_cert and --tls_key are given together");
  if (!options.creds_file.empty() && !options.token_file.empty())
    refuse_option("creds_file", "it and --token_file exclude each other");
}

std::vector<std::string> words_of(const ServerOptions& options) {
  std::vector<std::string> out;
  for (const ServerOption& option : server_options())
    if (const std::string& value = options.*option.member; !value.empty())
      out.insert(out.end(), {std::string("--") + option.name, value});
  return out;
}

}  // namespace levin::core::tasks
