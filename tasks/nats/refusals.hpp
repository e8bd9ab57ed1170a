// What a NATS server has said that a connection's user may not do. The client library reports it in a thread of its
// own, perhaps after the connection is gone.
#pragma once
#include <string>

namespace levin::core::tasks {

class Refusals {
 public:
  Refusals();
  ~Refusals();
  Refusals(const Refusals&) = delete;
  Refusals& operator=(const Refusals&) = delete;

  // Returns what the server said about the subject, or "".
  std::string of(const std::string& subject) const;
  void* closure() const;                                    // for add()
  static void add(void* closure, const std::string& text);  // nothing happens if the object is gone

 private:
  const size_t id_;
};

}  // namespace levin::core::tasks
