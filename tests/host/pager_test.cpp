// Long help on a terminal goes through the user's pager.
#include "host_process/screen.hpp"
#include "installation.hpp"

namespace {

// Returns what the terminal, which has 50 lines, shows.
std::string shown(const Installation& installation, const std::string& words, const std::string& pager,
                  const std::string& term = "xterm") {
  Program program{shell_command("exec bin/host " + words), installation.folder(),
                  at_home(installation.folder(), (installation.folder() / "cache").string())};
  program.variables["PAGER"] = pager;
  program.variables["LESS"] = {};
  program.variables["TERM"] = term;
  const Seen seen = on_terminal(std::move(program), 80);
  CHECK(seen.code == 0);
  return seen.text();
}

constexpr const char* marks = "echo LESS=$LESS; sed s/^/paged:/";

}  // namespace

TEST_CASE("help longer than the terminal is shown by PAGER") {
  const Installation installation;
  CHECK_THAT(shown(installation, "help trainer", marks),
             ContainsSubstring("LESS=FRX") && ContainsSubstring("paged:  --trainer.max_epochs"));
  CHECK_THAT(shown(installation, "--help", marks), ContainsSubstring("paged:usage: host"));
}

TEST_CASE("short help, a dumb terminal and PAGER=cat have no pager, and a pager that fails loses nothing") {
  const Installation installation;
  CHECK_THAT(shown(installation, "help toy_net", marks),
             !ContainsSubstring("paged:") && ContainsSubstring("--model.depth"));
  for (const char* pager : {"cat", "", "no_such_pager 2>/dev/null"})
    CHECK_THAT(shown(installation, "help trainer", pager), ContainsSubstring("\n  --trainer.max_epochs"));
  CHECK_THAT(shown(installation, "help trainer", marks, "dumb"), ContainsSubstring("\n  --trainer.max_epochs"));
  // A pager that the user leaves early is no failure of the host.
  CHECK_THAT(shown(installation, "help trainer", "true"), !ContainsSubstring("--trainer.max_epochs"));
  CHECK_THAT(installation.host("help trainer", "PAGER=false").out, ContainsSubstring("--trainer.max_epochs"));
}
