// A nats-server of this process: it ends with it, and is started again if it ends before.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <ios>
#include <string>

#include "tasks/nats/bus.hpp"
#include "tasks/nats/server_users.hpp"

namespace levin::core::tasks {

class ServerProcess {
 public:
  // Keeps its files in the folder: its store, log, and tokens. listen: HOST:PORT; port 0 = any free one. tls: its
  // certificate and key; with tls_ca, clients have to show a certificate of this authority. Throws Error{usage} if
  // listen names no host, and Error{run} if the program is not there.
  ServerProcess(std::filesystem::path folder, const std::string& listen, ServerOptions tls = {});
  ~ServerProcess() { stop(); }
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  BusAddress address(ServerUser user) const;
  std::filesystem::path token_file(ServerUser user) const { return token_file_of(folder_, user); }
  void keep_alive();  // throws Error{run} if it cannot be started anew
  // Starts it again if the disk or its store was full and there is room again: nats-server keeps the limit of its store
  // until it ends, and after a write that fails it may turn JetStream off or answer nothing more.
  // To be called several times a second.
  void look_for_room();
  void stop();

 private:
  void write_configuration();
  uint64_t free_room();  // of the disk; notes that it is full
  void start();
  void wait_until_ready();
  std::string log_text() const;  // since the last start
  std::string last_line() const;
  const std::filesystem::path folder_;
  const ServerOptions tls_;
  std::string host_;
  int port_ = 0;
  pid_t pid_ = -1;
  std::chrono::steady_clock::time_point begun_{}, looked_{};
  uint64_t limit_ = 0;         // bytes of its store
  bool full_ = false;          // the disk, since the last start
  std::streamoff logged_ = 0;  // size of the log when it was started
  int failures_ = 0;           // in a row
};

}  // namespace levin::core::tasks
