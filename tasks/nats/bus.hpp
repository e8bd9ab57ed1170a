// A connection to a NATS server. It reconnects by itself until it is destroyed, and may be used by several threads.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "tasks/server/server_options.hpp"

namespace levin::core::tasks {

struct BusAddress : ServerOptions {
  std::string token;  // or NAME:PASSWORD of a user; "" = the server asks for none
  // The server is a process of host tasks serve on this machine: its certificate is not verified.
  bool own_server = false;
};

struct BusMessage {
  std::string subject, reply, bytes;
  int status = 0;         // of a message of the server itself, for example 404; 0 = a message with data
  uint64_t sequence = 0;  // in its stream, for a message that was asked for
};

class Bus {
 public:
  // Messages that wait for one reader.
  class Inbox {
   public:
    virtual ~Inbox() = default;
    virtual std::optional<BusMessage> next(std::chrono::milliseconds time) = 0;
  };
  // Calls a function for each message, in a thread of the connection, until it is destroyed.
  class Listener {
   public:
    virtual ~Listener() = default;
  };

  // name: for the server's list of connections. Throws Error{run} if there is no server after `patience`, or at once if
  // it refuses the token. meanwhile: called while there is no server.
  Bus(
      const BusAddress& address, const std::string& name, std::chrono::milliseconds patience,
      const std::function<bool()>& meanwhile = [] { return true; });
  ~Bus();
  Bus(const Bus&) = delete;
  Bus& operator=(const Bus&) = delete;

  // The message is lost if the connection is.
  void publish(const std::string& subject, std::string_view bytes, const std::string& reply = "");
  // Returns nullopt if there is no answer in time. Throws Error{run} if the server does not permit it.
  std::optional<BusMessage> request(const std::string& subject, std::string_view bytes, std::chrono::milliseconds time);
  std::unique_ptr<Inbox> inbox(const std::string& subject);
  std::unique_ptr<Listener> listen(const std::string& subject, std::function<void(BusMessage)> use);

  static std::string new_subject();  // for answers
  size_t largest() const;            // bytes of a message that the server takes
  bool connected() const;
  bool closed() const;  // the server has refused the connection for good
  // Returns why the server does not permit this user to publish to the subject, or "" if it has not refused it.
  std::string refusal(const std::string& subject) const;

 private:
  struct Raw;
  std::unique_ptr<Raw> raw_;
  const std::string server_;
};

// Calls JetStream: "STREAM.CREATE.name", with a request or null. Returns nullopt if the server does not answer in time.
// Throws Error{run} with the server's reason if it refuses.
std::optional<nlohmann::json> call_jetstream(Bus& bus, const std::string& what, const nlohmann::json& request,
                                             std::chrono::milliseconds time = std::chrono::seconds(5));

// Returns the reason if this answer to a published message says that it was not stored, or "".
std::string refused_by_jetstream(const BusMessage& answer);

}  // namespace levin::core::tasks
