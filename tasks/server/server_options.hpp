// The options that name a NATS server and what a client shows it, of every command that talks to one.
#pragma once
#include <string>
#include <vector>

namespace levin::core::tasks {

struct ServerOptions {
  std::string server;             // nats://HOST:PORT or tls://HOST:PORT; "" = none
  std::string token_file;         // a token, or NAME:PASSWORD
  std::string creds_file;         // credentials as NATS' own programs write them: a JWT and its seed
  std::string tls_ca;             // the authority of the server's certificate; "" = those of the system
  std::string tls_cert, tls_key;  // of the client, for a server that asks for a certificate
};

struct ServerOption {
  const char* name;
  std::string ServerOptions::*member;
  bool is_file;
};
const std::vector<ServerOption>& server_options();

// Returns true if the connection is encrypted.
bool has_tls(const ServerOptions& options);

// Throws Error{usage}, which begins with `option`, if other users can read the file.
void check_secret(const std::string& option, const std::string& file);

// Throws Error{usage}, which names the option, if a file cannot be read, if others can read a secret one, or if a
// certificate lacks its key.
void check_server_options(const ServerOptions& options);

// The options as words of a command line.
std::vector<std::string> words_of(const ServerOptions& options);

}  // namespace levin::core::tasks
