// The rendezvous file (trainer.init_method file:///PATH). It has lines of "KEY VALUE", which the processes append under
// a lock. Its content is checked before it is used.
#pragma once
#include <chrono>
#include <map>
#include <optional>
#include <string>

namespace levin::core {

class RendezvousFile {
 public:
  // timeout: of the wait for the lock and for rank 0. The file may be missing or empty.
  RendezvousFile(std::string path, std::chrono::milliseconds timeout);

  // All throw Error{usage} if the file cannot be used: a folder, a FIFO, a file of another program, a damaged file.
  // They throw Error{processes} if another process keeps it locked.
  bool claim(const std::string& key);  // returns false if another process has claimed the key
  void set(const std::string& key, const std::string& value);
  std::optional<std::string> find(const std::string& key);
  // Waits for a key that rank 0 writes, and returns its value. Throws Error{processes} after the timeout.
  std::string get(const std::string& key);

  // Removes the file. If the path is a symbolic link, removes its target and keeps the link.
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
