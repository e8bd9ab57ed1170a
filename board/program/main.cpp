// host-board: the program behind `host board`.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <thread>
#include <vector>

#include "board/run_store.hpp"
#include "board/server.hpp"
#include "core/base/error_line.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/base/program_name.hpp"
#include "core/base/text.hpp"

namespace levin::core::board {
namespace {

namespace fs = std::filesystem;

struct BoardArguments {
  std::vector<fs::path> folders;
  int port = 0;
};

BoardArguments read(const std::vector<std::string>& words) {
  BoardArguments out;
  for (size_t i = 0; i < words.size(); ++i) {
    std::string value;
    if (words[i] == "--port") {
      if (++i == words.size()) throw Error(ErrorCode::argument_missing, "host board: --port: a value is missing");
      value = words[i];
    } else if (starts_with(words[i], "--port=")) {
      value = words[i].substr(7);
    } else if (starts_with(words[i], "-")) {
      throw Error(ErrorCode::option_unknown, unknown_name("host board: there is no option", words[i], {"--port"}));
    } else {
      out.folders.push_back(absolute_path(words[i]).lexically_normal());
      continue;
    }
    char* end = nullptr;
    const long port = std::strtol(value.c_str(), &end, 10);
    if (value.empty() || *end != '\0' || port < 0 || port > 65535)
      throw Error(ErrorCode::option_value_invalid,
                  "host board: --port takes a number from 0 to 65535, not '" + value + "'");
    out.port = static_cast<int>(port);
  }
  if (out.folders.empty()) out.folders.push_back(absolute_path("levin_logs"));
  for (fs::path& folder : out.folders) {
    if (!is_folder(folder))
      throw Error(ErrorCode::folder_not_found, "host board: there is no folder '" + folder.string() +
                                                   "'; name the folder of your runs: host board levin_logs");
    if (!folder.has_filename()) folder = folder.parent_path();
  }
  return out;
}

int serve(const std::vector<std::string>& words) {
  const BoardArguments given = read(words);
  sigset_t ends;
  sigemptyset(&ends);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ends, signal);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);  // in all threads that follow, too
  std::signal(SIGPIPE, SIG_IGN);
  RunStore store(given.folders);
  Server server(store, given.port);
  std::printf("%s\nopen this address in a browser; Ctrl-C ends it\n", server.address().c_str());
  std::fflush(stdout);
  std::thread listening([&server] { server.run(); });
  int signal = 0;
  sigwait(&ends, &signal);
  server.stop();
  listening.join();
  return 0;
}

}  // namespace
}  // namespace levin::core::board

int main(int argc, char** argv) {
  try {
    return levin::core::board::serve({argv + 1, argv + argc});
  } catch (const std::exception& e) {
    return levin::core::report_error(e, "host board");
  }
}
