// The pages and the data of `host board` by HTTP, for this machine alone.
#pragma once
#include <memory>
#include <string>

#include "board/run_store.hpp"

namespace levin::core::board {

// Serves on 127.0.0.1. A request needs the token, in the address or in the cookie that the first answer sets, and the
// name of this machine as its host, so that no page of another site can read anything.
class Server {
 public:
  // port: 0 = any free one. Throws Error{usage} if the port is taken.
  Server(RunStore& store, int port);
  ~Server();

  const std::string& address() const { return address_; }  // with the token
  int port() const { return port_; }
  void run();   // returns after stop()
  void stop();  // from any thread

 private:
  struct Http;
  std::unique_ptr<Http> http_;
  int port_ = 0;
  std::string token_, address_;
};

}  // namespace levin::core::board
