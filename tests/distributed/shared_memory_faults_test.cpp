#include <ATen/ATen.h>
#include <dirent.h>
#include <sys/resource.h>
#include <csignal>

#include <set>

#include "catch.hpp"
#include "forked_ranks.hpp"

using levin::core::NodeReduction;
using levin::core::SharedMemory;

namespace {

std::set<std::string> names_in(const char* folder) {
  std::set<std::string> names;
  if (DIR* dir = opendir(folder)) {
    while (const dirent* entry = readdir(dir)) names.insert(entry->d_name);
    closedir(dir);
  }
  return names;
}

double seconds_of_cpu() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

}  // namespace

TEST_CASE(
    "A rank that is killed is no reason to wait for ever: while_waiting says so, and the rest of the process goes on",
    "[shared_memory]") {
  const auto messages = run_ranks(3, [](int rank, const FileStore& store) {
    auto options = shared_options(rank, 3, store);
    int asked = 0;
    options.while_waiting = [&] {
      if (++asked == 2) throw std::runtime_error("rank 2 is lost");
    };
    SharedMemory memory(options);
    const at::Tensor tensor = at::ones({100000});
    memory.all_reduce(tensor, NodeReduction::sum);
    if (rank == 2) raise(SIGKILL);
    bool thrown = false;
    try {
      for (int i = 0; i < 3; ++i) memory.all_reduce(tensor, NodeReduction::sum);
    } catch (const std::exception& error) {
      thrown = error.what() == std::string("rank 2 is lost");
    }
    require(thrown && !memory.usable(), "no error of while_waiting");
    std::string again;
    try {
      memory.barrier();
    } catch (const std::exception& error) {
      again = error.what();
    }
    require(again == "the ranks of this node cannot share memory: an earlier call failed: rank 2 is lost", again);
  });
  CHECK(messages == std::vector<std::string>{"", "", "killed"});
}

TEST_CASE("A rank that waits long uses no core", "[shared_memory]") {
  const auto messages = run_ranks(2, [](int rank, const FileStore& store) {
    SharedMemory memory(shared_options(rank, 2, store));
    memory.barrier();
    if (rank == 1) std::this_thread::sleep_for(std::chrono::milliseconds(500));
    const double before = seconds_of_cpu();
    memory.barrier();
    require(seconds_of_cpu() - before < 0.1, "it burned a core");
  });
  CHECK(messages == std::vector<std::string>{"", ""});
}

TEST_CASE("The memory has no name that a kill could leave behind, and no descriptor stays open", "[shared_memory]") {
  const auto before = names_in("/dev/shm");
  Ranks ranks;
  ranks.start(2, [&](int rank, const FileStore& store) {
    const auto open_before = names_in("/proc/self/fd").size();
    SharedMemory memory(shared_options(rank, 2, store));
    memory.barrier();
    require(names_in("/dev/shm") == before, "a name in /dev/shm");
    require(names_in("/proc/self/fd").size() == open_before, "a descriptor stayed open");
    store.publish("ready" + std::to_string(rank), "yes");
    pause();
  });
  const FileStore store(ranks.folder);
  for (const char* key : {"ready0", "ready1"}) store.fetch(key);
  for (const pid_t pid : ranks.pids) kill(pid, SIGKILL);
  CHECK(ranks.join() == std::vector<std::string>{"killed", "killed"});
  CHECK(names_in("/dev/shm") == before);
}

TEST_CASE("Ranks that do different things are told so on all ranks, with what each of them does", "[shared_memory]") {
  struct Case {
    int64_t numel;
    at::ScalarType type;
    NodeReduction reduction;
    const char* text;
  };
  for (const Case& other : {Case{12, at::kFloat, NodeReduction::sum, "12 elements of Float by sum"},
                            Case{10, at::kDouble, NodeReduction::sum, "10 elements of Double by sum"},
                            Case{10, at::kFloat, NodeReduction::max, "10 elements of Float by max"}}) {
    const auto messages = run_ranks(3, [&](int rank, const FileStore& store) {
      SharedMemory memory(shared_options(rank, 3, store));
      const at::Tensor tensor = rank == 2 ? at::ones({other.numel}, other.type) : at::ones({10});
      memory.all_reduce(tensor, rank == 2 ? other.reduction : NodeReduction::sum);
    });
    for (const std::string& message : messages)
      CHECK(message == std::string("the ranks of this node do different things: local rank 0 reduces 10 elements of "
                                   "Float by sum, local rank 2 reduces ") +
                           other.text);
  }
  const auto messages = run_ranks(2, [&](int rank, const FileStore& store) {
    SharedMemory memory(shared_options(rank, 2, store));
    rank == 0 ? memory.barrier() : memory.broadcast(at::ones({2}), 1);
  });
  CHECK(messages[0] == messages[1]);
  CHECK_THAT(messages[0], ContainsSubstring("local rank 0 waits at a barrier, local rank 1 broadcasts 2 elements"));
}

TEST_CASE("Where the memory cannot be reached, no rank uses it and all know why", "[shared_memory]") {
  const auto with_offer = [](const std::function<std::string(const std::string&)>& change) {
    return run_ranks(3, [&](int rank, const FileStore& store) {
      auto options = shared_options(rank, 3, store);
      options.exchange.fetch = [&](const std::string& key) {
        return key == "segment" && rank == 2 ? change(store.fetch(key)) : store.fetch(key);
      };
      SharedMemory memory(options);
      require(memory.usable(), memory.reason());
    });
  };
  // As on another machine, or in a container with its own process ids: no such file, another file, the memory of
  // another run.
  const auto missing = with_offer([](const std::string& text) { return text + "999"; });
  const auto other_file =
      with_offer([](const std::string& text) { return text.substr(0, text.find(' ')) + " /dev/null"; });
  const auto other_run = with_offer([](const std::string& text) { return "0" + text; });
  const char* reasons[] = {"999: No such file or directory", "/dev/null: another file", "memory of another run"};
  int i = 0;
  for (const auto& messages : {missing, other_file, other_run}) {
    CHECK_THAT(messages[0], ContainsSubstring(reasons[i]));
    CHECK_THAT(messages[2], ContainsSubstring(reasons[i++]));
    CHECK(messages[0] == messages[1]);
    CHECK_THAT(messages[0], ContainsSubstring("(local rank 2)"));
  }
}

TEST_CASE("Where there is no memory to share, no rank has it and all know why", "[shared_memory]") {
  const auto messages = run_ranks(2, [](int rank, const FileStore& store) {
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = 1 << 20;
    std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    SharedMemory memory(shared_options(rank, 2, store));
    require(memory.usable(), memory.reason());
  });
  CHECK_THAT(messages[0], ContainsSubstring("posix_fallocate"));
  CHECK_THAT(messages[1], ContainsSubstring("posix_fallocate") && ContainsSubstring("local rank 0"));
}
