// Ranks of a node as child processes of the test, with a file store. A child reports a failure by throwing; the parent
// gets the message. An empty message is success.
#pragma once
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/distributed/processes.hpp"
#include "transports/node/shared_memory.hpp"

class FileStore {
 public:
  explicit FileStore(std::filesystem::path folder) : folder_(std::move(folder)) {}
  void publish(std::string key, const std::string& value) const {
    for (char& c : key) c = c == '/' ? '_' : c;
    const auto path = folder_ / key, part = folder_ / (key + ".part");
    std::ofstream(part) << value;
    std::filesystem::rename(part, path);
  }
  std::string fetch(std::string key) const {
    for (char& c : key) c = c == '/' ? '_' : c;
    for (int i = 0; i < 20000; ++i) {
      if (std::filesystem::exists(folder_ / key)) {
        std::ifstream in(folder_ / key);
        return {std::istreambuf_iterator<char>(in), {}};
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    throw std::runtime_error("nobody published " + key);
  }

 private:
  std::filesystem::path folder_;
};

inline void require(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

struct Ranks {
  std::filesystem::path folder;
  std::vector<pid_t> pids;

  Ranks() {
    char name[] = "/tmp/levin_ranks_XXXXXX";
    folder = mkdtemp(name);
  }
  ~Ranks() { std::filesystem::remove_all(folder); }
  Ranks(const Ranks&) = delete;

  void start(int size, const std::function<void(int rank, const FileStore& store)>& work) {
    for (int rank = 0; rank < size; ++rank) {
      const pid_t pid = fork();
      if (pid == 0) child(rank, work);
      pids.push_back(pid);
    }
  }
  // Returns the message of each rank; "killed" if a signal ended it.
  std::vector<std::string> join() {
    std::vector<std::string> messages;
    for (size_t rank = 0; rank < pids.size(); ++rank) {
      int status = 0;
      waitpid(pids[rank], &status, 0);
      std::ifstream in(folder / ("message" + std::to_string(rank)));
      messages.push_back(WIFSIGNALED(status) ? "killed" : std::string(std::istreambuf_iterator<char>(in), {}));
    }
    return messages;
  }

 private:
  [[noreturn]] void child(int rank, const std::function<void(int, const FileStore&)>& work) const {
    std::string message;
    try {
      work(rank, FileStore(folder));
    } catch (const std::exception& error) {
      message = error.what();
    }
    std::ofstream(folder / ("message" + std::to_string(rank))) << message;
    _exit(0);
  }
};

inline std::vector<std::string> run_ranks(int size, const std::function<void(int rank, const FileStore&)>& work) {
  Ranks ranks;
  ranks.start(size, work);
  return ranks.join();
}

// Returns the options of the shared memory of a rank.
inline levin::core::SharedMemoryOptions shared_options(int rank, int size, const FileStore& store) {
  levin::core::SharedMemoryOptions options;
  options.exchange.rank = rank;
  options.exchange.size = size;
  options.exchange.publish = [store](const std::string& key, const std::string& value) { store.publish(key, value); };
  options.exchange.fetch = [store](const std::string& key) { return store.fetch(key); };
  return options;
}

// As run_ranks(), after the rendezvous of the processes.
inline std::vector<std::string> in_ranks(int size, const std::function<void(levin::core::Processes&)>& work) {
  Ranks ranks;
  ranks.start(size, [&](int rank, const FileStore&) {
    levin::core::World world;
    world.rank = world.local_rank = rank;
    world.size = world.local_size = size;
    levin::core::RendezvousOptions options;
    options.init_method = "file://" + (ranks.folder / "rendezvous").string();
    levin::core::Processes processes(world, options, [](const std::string&) {});
    work(processes);
  });
  return ranks.join();
}

inline std::vector<std::string> all_well(int size) { return std::vector<std::string>(static_cast<size_t>(size)); }
