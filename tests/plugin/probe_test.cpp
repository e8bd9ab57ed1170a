#include "core/plugin/probe.hpp"

#include "catch.hpp"
#include "core/plugin/child.hpp"
#include "tests/plugin/fixture.hpp"

namespace probe_test {
using namespace levin::core;
using namespace std::chrono_literals;

namespace {
Verdict ask(const Probe& probe, const std::filesystem::path& path) {
  const OpenFile file(path, true);
  return probe.ask(file, read_elf(file.fd(), path.string()));
}
const std::filesystem::path no_program = "/no/such/program";

// A probe whose describer records each call.
Probe counting_probe(const TempFolder& scratch) {
  const auto counter = scratch / "describer";
  write_bytes(counter,
              "#!/bin/sh\necho x >>" + (scratch / "calls").string() + "\nexec " LEVIN_TEST_DESCRIBER " \"$@\"\n");
  std::filesystem::permissions(counter, std::filesystem::perms::owner_all);
  return {counter, scratch / "cache" / "levin" / "plugins.jsonl"};
}
size_t calls(const TempFolder& scratch) { return bytes_of(scratch / "calls").size() / 2; }
}  // namespace

TEST_CASE("a plugin that crashes, leaves or hangs while it is loaded is described as such") {
  Probe probe = test_probe();
  CHECK_THAT(probe.ask_child(built("crashes_in_entry")).problem,
             ContainsSubstring("crashed") && ContainsSubstring("SIGSEGV"));
  CHECK_THAT(probe.ask_child(built("throws_in_initialiser")).problem,
             ContainsSubstring(
                 "libthrows_in_initialiser.so: a static initialiser threw an exception: initialiser is upset (P8)"));
  CHECK_THAT(probe.ask_child(built("exits_in_initialiser")).problem,
             ContainsSubstring("ended the process while it was loaded"));
  probe.timeout = 1000ms;
  CHECK_THAT(probe.ask_child(built("hangs_in_entry")).problem, ContainsSubstring("did not finish loading in 1 s (P8)"));
}

TEST_CASE("the code of a plugin that is only described reaches nothing outside its process") {
#ifndef LEVIN_HAS_SECCOMP
  WARN("skipped: this build has no libseccomp, so only limits hold");
#else
  const TempFolder scratch;
  write_bytes(scratch / "victim", "precious");
  setenv("TMPDIR", scratch.path().c_str(), 1);
  setenv("LEVIN_TEST_SECRET", "hunter2", 1);
  Probe probe = test_probe();
  CHECK_THAT(probe.ask_child(built("reaches_out")).problem,
             ContainsSubstring("refused to serve: it reached: read (P10)"));
  CHECK(bytes_of(scratch / "victim") == "precious");
  probe.trust = true;
  CHECK_THAT(probe.ask_child(built("reaches_out")).problem,
             ContainsSubstring("it reached: socket fork create write truncate remove signal secrets read (P10)"));
  unsetenv("LEVIN_TEST_SECRET");
  unsetenv("TMPDIR");
#endif
}

TEST_CASE("what a plugin prints does not reach its description") {
  const Verdict verdict = test_probe().ask_child(built("prints_in_entry"));
  CHECK(verdict.problem.empty());
  CHECK_THAT(verdict.description, ContainsSubstring("org.levin.test"));
}

TEST_CASE("a program that cannot be run is an error of the host, not of the plugin") {
  const Probe probe{no_program, {}};
  REQUIRE_THROWS_WITH(probe.ask_child(built("good")), ContainsSubstring("cannot run"));
}

TEST_CASE("a verdict is asked once for a file and then read from the cache, until the file changes") {
  const TempFolder scratch;
  const auto file = copy_plugin("good", scratch / "libgood.so");
  const Probe probe = counting_probe(scratch);

  const Verdict first = ask(probe, file);
  CHECK(ask(probe, file).description == first.description);
  CHECK(calls(scratch) == 1);
  copy_plugin("wrong_id", file);
  CHECK_THAT(ask(probe, file).problem, ContainsSubstring("(P12)"));
  CHECK(calls(scratch) == 2);
  ask(probe, file);  // the problem may be solved
  CHECK(calls(scratch) == 3);
  write_bytes(probe.cache, "{ not json");
  ask(probe, file);
  CHECK(calls(scratch) == 4);
}

TEST_CASE("the cache keeps the verdicts of several files") {
  const TempFolder scratch;
  const Probe probe = counting_probe(scratch);
  const auto first = copy_plugin("good", scratch / "libfirst.so"),
             second = copy_plugin("good", scratch / "libsecond.so");
  ask(probe, first);
  ask(probe, second);
  ask(probe, first);
  ask(probe, second);
  CHECK(calls(scratch) == 2);
  const std::string kept = bytes_of(probe.cache);
  write_bytes(probe.cache, kept.substr(0, kept.size() - 10));  // the second line lacks its end
  ask(probe, first);
  CHECK(calls(scratch) == 2);
  ask(probe, second);
  CHECK(calls(scratch) == 3);
}

TEST_CASE("a library that is missing today is asked for again tomorrow") {
  const TempFolder scratch;
  const Probe probe = test_probe(scratch / "plugins.json");
  CHECK_THAT(ask(probe, built("missing_symbol")).problem, ContainsSubstring("nobody_has_this_function"));
  CHECK_FALSE(std::filesystem::exists(probe.cache));
}

TEST_CASE("a child's output, exit code and signal come back") {
  const auto sh = [](const char* script, std::chrono::milliseconds timeout = 10s) {
    return run_child({"/bin/sh", "-c", script}, timeout);
  };
  CHECK(sh("echo out; echo err >&2; exit 5").out == "out\n");
  CHECK(sh("echo out; echo err >&2; exit 5").err == "err\n");
  CHECK(sh("exit 5").exit_code == 5);
  CHECK(signal_name(sh("kill -SEGV $$").signal) == "SIGSEGV");
  CHECK(sh("sleep 60", 200ms).timed_out);
  CHECK(sh("exec >/dev/null 2>&1; sleep 60", 200ms).timed_out);
  CHECK(sh("head -c 300000 /dev/zero").out.size() == 300000);
}

}  // namespace probe_test
