#include "tasks/nats/server_process.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>

#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "launch/ranks/spawn.hpp"

namespace levin::core::tasks {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::string program() {
  EnvironmentVariables variables = environment_variables();
  variables["PATH"] += ":/usr/sbin:/usr/local/sbin";  // where Debian has it
  const std::string found = find_program(variables, "nats-server");
  if (found.empty())
    throw Error(ErrorCode::server_not_started,
                "nats-server is not there: apt-get install nats-server, or --engine local");
  return found;
}

int free_port() {
  const Descriptor fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (!fd.open() || ::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw Error(ErrorCode::server_not_started, std::string("no free port on 127.0.0.1: ") + std::strerror(errno));
  return ntohs(address.sin_port);
}

// Bytes that the disk has for the store: what is free, and what the store has already.
uint64_t room_for(const fs::path& store) {
  std::error_code ignored;
  uint64_t out = fs::space(store.parent_path(), ignored).available;
  for (fs::recursive_directory_iterator file(store, ignored), end; file != end; file.increment(ignored))
    if (file->is_regular_file(ignored)) out += file->file_size(ignored);
  return out;
}

// As nats-server does by itself, which does not count what it has stored before.
uint64_t limit_of(uint64_t room) { return std::max<uint64_t>(room / 4 * 3, 1 << 20); }

}  // namespace

ServerProcess::ServerProcess(fs::path folder, const std::string& listen, ServerOptions tls)
    : folder_(std::move(folder)), tls_(std::move(tls)) {
  const size_t colon = listen.rfind(':');
  host_ = listen.substr(0, colon);
  if (host_.empty())
    throw Error(ErrorCode::option_value_invalid,
                "--listen " + listen + ": name an address of this machine, or 0.0.0.0 for all");
  port_ = colon == std::string::npos ? 4222 : std::atoi(listen.c_str() + colon + 1);
  if (port_ == 0) port_ = free_port();
  fs::create_directories(folder_);
  fs::permissions(folder_, fs::perms::owner_all);
  write_configuration();
  start();
  wait_until_ready();
}

void ServerProcess::write_configuration() {
  const fs::path store = folder_ / "store";
  limit_ = limit_of(room_for(store));
  nlohmann::json configuration = {{"listen", host_ + ":" + std::to_string(port_)},
                                  {"jetstream", {{"store_dir", store.string()}, {"max_file_store", limit_}}},
                                  {"authorization", authorization_of(folder_)}};
  if (!tls_.tls_cert.empty()) configuration["tls"] = {{"cert_file", tls_.tls_cert}, {"key_file", tls_.tls_key}};
  if (!tls_.tls_ca.empty()) configuration["tls"].update({{"ca_file", tls_.tls_ca}, {"verify", true}});
  write_private(folder_ / "nats.conf", configuration.dump(2) + "\n");
}

// Another program may have the port.
void ServerProcess::wait_until_ready() {
  const auto until = Clock::now() + std::chrono::seconds(10);
  while (Clock::now() < until && log_text().find("Server is ready") == std::string::npos) {
    if (int status = 0; ::waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = -1;
      if (!WIFSIGNALED(status))
        throw Error(ErrorCode::server_not_started, "nats-server cannot be started: " + last_line());
      start();  // it was killed
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

BusAddress ServerProcess::address(ServerUser user) const {
  const std::string host = host_ == "0.0.0.0" ? "127.0.0.1" : host_;
  BusAddress out;
  out.server = (tls_.tls_cert.empty() ? "nats://" : "tls://") + host + ":" + std::to_string(port_);
  if (!tls_.tls_ca.empty()) out.tls_cert = tls_.tls_cert, out.tls_key = tls_.tls_key;
  out.token = token_of(folder_, user);
  out.own_server = true;
  return out;
}

void ServerProcess::start() {
  const std::string log = (folder_ / "nats.log").string();
  const Descriptor output(::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!output.open()) throw Error(ErrorCode::server_not_started, log + " cannot be written: " + std::strerror(errno));
  logged_ = ::lseek(output.get(), 0, SEEK_END);
  Spawn what;
  what.command = {program(), "-c", (folder_ / "nats.conf").string()};
  what.environment = environment_variables();
  what.out = what.err = output.get();
  sigemptyset(&what.blocked);
  pid_ = spawn(what);
  begun_ = Clock::now();
}

void ServerProcess::keep_alive() {
  int status = 0;
  if (pid_ < 0 || ::waitpid(pid_, &status, WNOHANG) != pid_) return;
  pid_ = -1;
  failures_ = !WIFSIGNALED(status) && Clock::now() - begun_ < std::chrono::seconds(1) ? failures_ + 1 : 0;
  if (failures_ >= 5)
    throw Error(ErrorCode::server_not_started, "nats-server ends as soon as it is started: " + last_line() + " (" +
                                                   (folder_ / "nats.log").string() + ")");
  start();
}

uint64_t ServerProcess::free_room() {
  std::error_code error;
  const uint64_t free = fs::space(folder_, error).available;
  if (error || full_ || free >= std::max<uint64_t>(limit_ / 64, 1 << 20)) return error ? 0 : free;
  full_ = true;
  std::fprintf(stderr, "the disk of %s is full: jobs fail or wait until you make room\n",
               printable(folder_.string()).c_str());
  return free;
}

void ServerProcess::look_for_room() {
  const auto now = Clock::now();
  const uint64_t free = free_room();
  if (pid_ < 0 || now - looked_ < std::chrono::seconds(2) || now - begun_ < std::chrono::seconds(10)) return;
  looked_ = now;
  const std::string log = log_text();
  const bool full = full_ || log.find("will be DISABLED") != std::string::npos;
  const bool limited = log.find("JetStream resource limits exceeded") != std::string::npos;
  const bool has_room = full && free >= std::max<uint64_t>(limit_ / 8, 4 << 20);
  if (!has_room && !(limited && limit_of(room_for(folder_ / "store")) >= limit_ / 4 * 5)) return;
  stop();
  write_configuration();
  full_ = false;
  start();
}

std::string ServerProcess::log_text() const {
  std::ifstream in(folder_ / "nats.log", std::ios::binary);
  in.seekg(logged_);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string ServerProcess::last_line() const {
  const std::string text = trim(log_text());
  return text.substr(text.find_last_of('\n') + 1);
}

void ServerProcess::stop() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

}  // namespace levin::core::tasks
