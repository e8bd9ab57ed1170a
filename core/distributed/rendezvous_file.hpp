// The file in which the processes of a run meet (trainer.init_method file:///PATH). It has lines of "KEY VALUE", which
// the processes append under a lock. What the file has is checked before it is used.
#pragma once
#include <chrono>
#include <map>
#include <optional>
#include <string>

namespace levin::core {

class RendezvousFile {
 public:
  // timeout: of the wait for the lock, and for rank 0. The file need not exist yet; an empty one will do, too.
  RendezvousFile(std::string path, std::chrono::milliseconds timeout);

  // All throw Error{usage} if the file cannot be used: a folder, a FIFO, a file of another program, a damaged one.
  // Error{processes}: another process keeps it locked.
  bool claim(const std::string& key);  // false: another process has claimed the key before
  void set(const std::string& key, const std::string& value);
  std::optional<std::string> find(const std::string& key);
  // Waits for a key that rank 0 writes. Throws Error{processes} after the timeout.
  std::string get(const std::string& key);

  // Removes the file, and not a symbolic link that leads to it.
  void remove() const;

 private:
  class Opened;
  std::map<std::string, std::string> lines(const std::string& text) const;
  void append(const Opened& file, const std::string& text, const std::string& line) const;
  [[noreturn]] void refuse(const std::string& what) const;

  const std::string path_;
  const std::chrono::milliseconds timeout_;
};

}  // namespace levin::core
