// Rendezvous and departure of processes that are forks of the test.
#include "core/distributed/processes.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <fstream>

#include "catch.hpp"
#include "forked_ranks.hpp"

using namespace levin::core;

namespace {

World world_of_rank(int rank, int size) {
  World world;
  world.rank = world.local_rank = rank;
  world.size = world.local_size = size;
  return world;
}

RendezvousOptions in_file(const std::filesystem::path& folder) {
  RendezvousOptions options;
  options.init_method = "file://" + (folder / "meeting").string();
  return options;
}

void nobody_hears(const std::string&) {}

struct Refusal {
  ErrorKind kind = ErrorKind::internal;
  std::string text = "nothing";
};

// Returns the error of one of two processes when the other does not arrive.
Refusal refusal(int rank, const std::string& init_method) try {
  RendezvousOptions options;
  options.init_method = init_method;
  options.rendezvous_timeout = std::chrono::milliseconds(600);
  const Processes processes(world_of_rank(rank, 2), options, nobody_hears);
  return {};
} catch (const Error& e) {
  return {e.kind(), e.what()};
}

void make_socket(const std::filesystem::path& path) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  path.string().copy(name.sun_path, sizeof name.sun_path - 1);
  REQUIRE(bind(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), reinterpret_cast<sockaddr*>(&name), sizeof name) == 0);
}

// A stopped process that listens on a port and sends nothing: this program or another one.
class Listening {
 public:
  explicit Listening(const char* program) {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    REQUIRE(bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0);
    REQUIRE(listen(fd, 8) == 0);
    getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
    place = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    pid = fork();
    if (pid == 0) {
      if (program) execlp(program, program, "100", nullptr);
      for (;;) pause();
    }
    close(fd);
    while (program && name_of(pid) != program) usleep(1000);
  }
  ~Listening() {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
  Listening(const Listening&) = delete;

  std::string place;
  pid_t pid;

 private:
  static std::string name_of(pid_t process) {
    std::string name;
    std::ifstream("/proc/" + std::to_string(process) + "/comm") >> name;
    return name;
  }
};

}  // namespace

TEST_CASE("a file in which processes cannot meet is refused by all of them, with the reason") {
  const Ranks ranks;
  const std::string start = "levin rendezvous 1\n", left = start + "came/0 claimed\nrun run \n";
  const struct {
    std::string name, text, said;
  } files[] = {
      {"junk", "hello\n", "another program has written it"},
      {"zeros", std::string(4, '\0'), "another program has written it"},
      {"short_start", start.substr(0, 9), "has left it cut short"},
      {"short_end", left + "store 127.0", "has left it cut short"},
      {"no_value", start + "came/0\n", "it is damaged"},
      {"no_key", start + "\n", "it is damaged"},
      {"bytes", start + std::string("a\0b c\n", 6), "it is damaged"},
      {"whole", left + "store 127.0.0.1 1\ncame/1 claimed\n", "before: an earlier run has left it"},
  };
  for (const auto& file : files) {
    std::ofstream(ranks.folder / file.name) << file.text;
    for (const int rank : {0, 1}) {
      const Refusal got = refusal(rank, "file://" + (ranks.folder / file.name).string());
      INFO(file.name << " " << got.text);
      CHECK(got.kind == ErrorKind::usage);
      CHECK_THAT(got.text, ContainsSubstring("/" + file.name) && ContainsSubstring(file.said));
    }
    std::ifstream in(ranks.folder / file.name);
    CHECK(std::string(std::istreambuf_iterator<char>(in), {}) == file.text);
  }
  for (const char* where : {"store 127.0.0.1 1", "store somewhere 80", "store 127.0.0.1 99999"}) {
    std::ofstream(ranks.folder / "gone") << left << where << "\n";
    const Refusal got = refusal(1, "file://" + (ranks.folder / "gone").string());
    INFO(where << got.text);
    CHECK(got.kind == ErrorKind::usage);
    CHECK_THAT(got.text, ContainsSubstring("an earlier run has left it") && ContainsSubstring("remove it"));
  }
}

TEST_CASE("what is no file, or cannot be opened, is no place where processes meet") {
  const Ranks ranks;
  const auto in = [&](const char* name) { return (ranks.folder / name).string(); };
  std::filesystem::create_directory(in("folder"));
  std::ofstream(in("file")) << "";
  REQUIRE(mkfifo(in("fifo").c_str(), 0600) == 0);
  make_socket(in("socket"));
  std::filesystem::create_symlink("/dev/null", in("device"));
  std::filesystem::create_symlink("loop", in("loop"));
  std::filesystem::create_symlink("folder", in("link"));
  std::filesystem::create_symlink("nowhere/file", in("dangling"));
  const std::pair<std::string, const char*> files[] = {
      {"folder", "it is a folder"},
      {"link", "it is a folder"},
      {"fifo", "it is a FIFO"},
      {"socket", "it is a socket"},
      {"device", "it is a device"},
      {"loop", "symbolic links"},
      {"dangling", "No such file or directory"},
      {"nowhere/file", "there is no folder"},
      {"file/file", "there is no folder"},
      {std::string(300, 'x'), "name too long"},
  };
  for (const auto& [name, said] : files)
    for (const int rank : {0, 1}) {
      const Refusal got = refusal(rank, "file://" + in(name.c_str()));
      INFO(name << " " << got.text);
      CHECK(got.kind == ErrorKind::usage);
      CHECK_THAT(got.text, ContainsSubstring(said) && ContainsSubstring("trainer.init_method"));
    }
}

TEST_CASE("processes wait at a file for the timeout, and no longer") {
  const Ranks ranks;
  const std::string file = (ranks.folder / "meeting").string();
  const Refusal alone = refusal(1, "file://" + file);
  CHECK(alone.kind == ErrorKind::processes);
  CHECK_THAT(alone.text, ContainsSubstring("rank 0 did not come to the rendezvous file") &&
                             ContainsSubstring("trainer.process_group_timeout"));
  const int fd = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  REQUIRE(flock(fd, LOCK_EX) == 0);
  const Refusal locked = refusal(0, "file://" + file);
  close(fd);
  CHECK(locked.kind == ErrorKind::processes);
  CHECK_THAT(locked.text, ContainsSubstring("another process keeps it locked"));
}

TEST_CASE("processes meet in an empty file, and by a symbolic link to one that is not there yet") {
  for (const bool linked : {false, true}) {
    Ranks ranks;
    const auto file = ranks.folder / "meeting", target = ranks.folder / "target";
    if (linked)
      std::filesystem::create_symlink(target, file);
    else
      std::ofstream(file) << "";
    ranks.start(2, [&](int rank, const FileStore&) {
      Processes processes(world_of_rank(rank, 2), in_file(ranks.folder), nobody_hears);
      require(processes.of_first(std::to_string(rank)) == "0", "another word");
    });
    CHECK(ranks.join() == std::vector<std::string>{"", ""});
    CHECK(std::filesystem::is_symlink(file) == linked);
    CHECK_FALSE(std::filesystem::exists(file));
  }
}

TEST_CASE("a port that another program uses is refused by all ranks, with the program") {
  const Listening other("sleep");
  const Refusal first = refusal(0, "tcp://" + other.place), second = refusal(1, "tcp://" + other.place);
  const std::string user = "sleep (process " + std::to_string(other.pid) + ") uses that port; take another port";
  CHECK(first.kind == ErrorKind::usage);
  CHECK_THAT(first.text, ContainsSubstring("rank 0 cannot listen on " + other.place) && ContainsSubstring(user));
  CHECK(second.kind == ErrorKind::usage);
  CHECK_THAT(second.text, ContainsSubstring(other.place + " does not answer like rank 0") && ContainsSubstring(user));
}

TEST_CASE("a rank 0 that listens and is stopped is no other program") {
  const Listening stopped(nullptr);
  const Refusal got = refusal(1, "tcp://" + stopped.place);
  CHECK(got.kind == ErrorKind::processes);
  CHECK_THAT(got.text, ContainsSubstring("rank 0 (pid " + std::to_string(stopped.pid) + ") gave no answer"));

  const Ranks ranks;
  const std::string file = (ranks.folder / "meeting").string();
  std::string place = stopped.place;
  place[place.find(':')] = ' ';
  std::ofstream(file) << "levin rendezvous 1\ncame/0 claimed\nrun run \nstore " << place << "\n";
  const Refusal by_file = refusal(1, "file://" + file);
  CHECK(by_file.kind == ErrorKind::processes);
  CHECK_THAT(by_file.text, ContainsSubstring("rank 0 gave no answer at " + stopped.place));
}

TEST_CASE("a process that is lost while others are missing is named soon") {
  for (const int signal : {SIGSTOP, SIGKILL})
    for (const int lost : {0, 1}) {
      Ranks ranks;
      ranks.start(2, [&](int rank, const FileStore&) {
        setenv("LEVIN_HEARTBEAT_TIMEOUT", "2", 1);
        RendezvousOptions options = in_file(ranks.folder);
        const auto start = std::chrono::steady_clock::now();
        options.asked_to_stop = [&] {
          std::ofstream(ranks.folder / std::to_string(rank));
          const bool met = std::filesystem::exists(ranks.folder / std::to_string(1 - rank));
          if (met && rank == lost && std::chrono::steady_clock::now() - start > std::chrono::seconds(1)) raise(signal);
          return 0;
        };
        const Processes processes(world_of_rank(rank, 3), options, nobody_hears);
      });
      const pid_t stopped = ranks.pids[static_cast<size_t>(lost)];
      const auto message = ranks.folder / ("message" + std::to_string(1 - lost));
      for (int i = 0; i < 2000 && !std::filesystem::exists(message); ++i) usleep(10000);
      kill(stopped, SIGKILL);
      const std::string said = ranks.join()[static_cast<size_t>(1 - lost)];
      INFO(signal << " " << said);
      CHECK_THAT(said, ContainsSubstring("lost rank " + std::to_string(lost) + " (host ") &&
                           ContainsSubstring(", pid " + std::to_string(stopped) + ")"));
      if (signal == SIGSTOP) CHECK_THAT(said, ContainsSubstring(": silent for "));
    }
}

TEST_CASE("a signal to one process while others are missing stops all that are there") {
  for (const int stopped : {0, 1}) {
    Ranks ranks;
    ranks.start(2, [&](int rank, const FileStore&) {
      RendezvousOptions options = in_file(ranks.folder);
      const auto other_is_there = [&] { return std::filesystem::exists(ranks.folder / std::to_string(1 - rank)); };
      options.asked_to_stop = [&] {
        std::ofstream(ranks.folder / std::to_string(rank));
        return rank == stopped && other_is_there() ? 10 : 0;
      };
      try {
        const Processes processes(world_of_rank(rank, 3), options, nobody_hears);
      } catch (const RendezvousStopped& stop) {
        return require(stop.signal == 10, "another signal");
      }
      throw std::runtime_error("nothing stopped it");
    });
    CHECK(ranks.join() == std::vector<std::string>{"", ""});
    CHECK(!std::filesystem::exists(ranks.folder / "meeting"));
  }
}

TEST_CASE("a process that has done its part waits for the others as long as they live") {
  Ranks ranks;
  ranks.start(2, [&](int rank, const FileStore&) {
    Processes processes(world_of_rank(rank, 2), in_file(ranks.folder), nobody_hears);
    if (rank == 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10500));
    processes.store()->set("still", "there");
  });
  CHECK(ranks.join() == std::vector<std::string>{"", ""});
}

TEST_CASE("a process that fails does not wait for long, and the others learn it") {
  Ranks ranks;
  ranks.start(2, [&](int rank, const FileStore&) {
    Processes processes(world_of_rank(rank, 2), in_file(ranks.folder), nobody_hears);
    if (rank == 0) throw std::runtime_error("enough");
    try {
      processes.of_first("");
    } catch (const Error& e) {
      return require(e.kind() == ErrorKind::processes, e.what());
    }
    throw std::runtime_error("nobody was missed");
  });
  CHECK(ranks.join() == std::vector<std::string>{"enough", ""});
}
