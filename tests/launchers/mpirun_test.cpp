// mpirun of Open MPI and of MPICH.
#include <cstdio>

#include "catch.hpp"
#include "launched_fit.hpp"

namespace {

const struct {
  const char *program, *words;
} launchers[] = {{"mpirun.openmpi", "mpirun.openmpi --oversubscribe --mca oob_tcp_if_include lo"},
                 {"mpirun.mpich", "mpirun.mpich"}};

}  // namespace

TEST_CASE("mpirun starts the processes of a run, also behind a shell and two runs at once") {
  for (const auto& launcher : launchers) {
    if (!has_program(launcher.program)) {
      std::fprintf(stderr, "SKIPPED: there is no program %s\n", launcher.program);
      continue;
    }
    const Sandbox box;
    const std::string start = std::string(launcher.words) + " -n 2 sh -c ";
    const Outcome outcome = run_script(box, "mkdir a b\n(cd a; " + start + "'$fit; exit $?') &\n(cd b; " + start +
                                                "'$fit; exit $?')\ncode=$?\nwait $! || exit\nexit $code");
    INFO(launcher.words << outcome.err);
    CHECK(outcome.code == 0);
    for (const char* folder : {"a", "b"}) {
      const auto run = box.folder() / folder / "levin_logs" / "version_0";
      CHECK(std::filesystem::exists(run / "log.rank-1.txt"));
      CHECK(box.read(run / "metrics.csv") == expected_metrics());
    }
  }
}
