// Loads a thousand damaged copies of a plugin, each in its own process, and checks that the host handles them.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <random>

#include "catch.hpp"
#include "tests/plugin/fixture.hpp"

namespace mutated_plugin_test {
using namespace levin::core;

namespace {

std::string damaged(const std::string& good, std::mt19937& random) {
  std::string bytes = good;
  if (random() % 10 == 0) return bytes.substr(0, random() % bytes.size());
  const int changes = 1 + static_cast<int>(random() % 6);
  for (int i = 0; i < changes; ++i) {
    const size_t range = random() % 2 ? bytes.size() : 1024;
    bytes[random() % range] = static_cast<char>(random());
  }
  return bytes;
}

int rounds() {
  if (const char* text = std::getenv("LEVIN_FUZZ_ROUNDS")) return std::atoi(text);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return 150;  // each needs two slow processes
#else
  return 1000;
#endif
}

// Returns 0 if loaded, 3 if rejected; anything else is a failure of the host.
int outcome(const std::filesystem::path& file) {
  const pid_t pid = fork();
  if (pid == 0) {
    TestHosts hosts;
    const std::string why = refusal([&] {
      load_plugin(file, hosts, {false, Probe{LEVIN_TEST_DESCRIBER, {}, std::chrono::seconds(2)}});
    });
    _exit(why.empty() ? 0 : why.rfind("of another kind", 0) == 0 ? 4 : 3);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

}  // namespace

TEST_CASE("no damaged copy of a plugin ends the host") {
  const TempFolder scratch;
  const std::string good = bytes_of(built("good"));
  std::mt19937 random(7);
  int refused = 0, loaded = 0;
  for (int round = 0; round < rounds(); ++round) {
    const auto file = scratch / "libx.so";
    write_bytes(file, damaged(good, random));
    int result = outcome(file);
    // The target of a damaged address depends on where the file is loaded, so the first try is not conclusive. An error
    // of the host occurs in every try.
    for (int tries = 0; result > 1000 && tries < 5; ++tries) result = outcome(file);
    INFO("round " << round << ", outcome " << result);
    REQUIRE((result == 0 || result == 3));
    (result == 0 ? loaded : refused) += 1;
  }
  CHECK(refused > 0);
  CHECK(loaded > 0);  // changes in padding have no effect
}

}  // namespace mutated_plugin_test
