// mpirun of Open MPI and of MPICH.
#include <cstdio>

#include "launched_fit.hpp"

namespace {

const struct {
  const char *program, *words;
} launchers[] = {{"mpirun.openmpi", "mpirun.openmpi --oversubscribe --mca oob_tcp_if_include lo"},
                 {"mpirun.mpich", "mpirun.mpich"}};

std::filesystem::path transport_library(const std::string& name) {
  return std::filesystem::path(LEVIN_TEST_HOST).parent_path().parent_path() / "libexec/levin" /
         ("liblevin_" + name + ".so");
}

}  // namespace

TEST_CASE("mpirun starts the processes of a run, also behind a shell and two runs at once") {
  for (const auto& launcher : launchers) {
    if (!has_program(launcher.program)) {
      std::fprintf(stderr, "SKIPPED: there is no program %s\n", launcher.program);
      continue;
    }
    const Sandbox box;
    // Two concurrent runs of Open MPI with the same TMPDIR may both try to create its folder.
    const std::string start = "TMPDIR=$PWD " + std::string(launcher.words) + " -n 2 sh -c ";
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

TEST_CASE("under mpirun all end when one is killed, and its checkpoint is whole") {
  if (!has_program(launchers[0].program)) return;
  const Sandbox box;
  const std::string start = std::string(launchers[0].words) + " -n 2 ";
  const Outcome outcome = run_script(box, with_a_loss + start + "sh job.sh", rests_in_epoch_1);
  CHECK(outcome.code == 137);
  CHECK(listening(box).empty());
  const Outcome resumed = run_script(box, start + resume_after_loss);
  CHECK(resumed.code == 0);
  CHECK(metrics(box) == expected_metrics(ten_rows));
}

TEST_CASE("tensors go by MPI, where Levin was built with one") {
  const auto library = transport_library("mpi");
  const std::string by_mpi = "--trainer.process_group_backend mpi --trainer.shared_memory off ";
  if (!std::filesystem::exists(library)) {
    const Sandbox box;
    const Outcome outcome = run_script(box, "$fit --trainer.devices 2", by_mpi);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err,
               ContainsSubstring("this Levin was built without it") && ContainsSubstring("libopenmpi-dev"));
    std::fprintf(stderr, "SKIPPED: tensors by MPI: there is no MPI to build with\n");
    return;
  }
  SECTION("collectives are right, and the fit is that by Gloo") {
    if (!has_program("mpirun.openmpi")) {
      std::fprintf(stderr, "SKIPPED: tensors by MPI: there is no program mpirun.openmpi\n");
      return;
    }
    const Sandbox box;
    const Outcome outcome = run_script(box, std::string(launchers[0].words) + " -n 3 $fit",
                                       by_mpi + "--data.train 12 --callback collectives");
    CHECK(outcome.code == 0);
    for (const char* rank : {"0", "1", "2"})
      CHECK_THAT(outcome.err, ContainsSubstring(std::string("rank ") + rank + " of 3: 0 wrong"));
    CHECK_THAT(box.read(box.run(0) / "log.txt"), ContainsSubstring("reductions go by mpi"));
    const Sandbox two;
    CHECK(run_script(two, std::string(launchers[0].words) + " -n 2 $fit", by_mpi).code == 0);
    CHECK(metrics(two) == expected_metrics());
  }
  SECTION("without mpirun the reason is said") {
    const Sandbox box;
    const Outcome outcome = run_script(box, "$fit --trainer.devices 2", by_mpi);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err,
               ContainsSubstring("trainer.process_group_backend=mpi") && ContainsSubstring("start them by mpirun"));
  }
}

TEST_CASE("NCCL is refused where the run computes on the CPU") {
  const Sandbox box;
  const Outcome outcome = run_script(box, "$fit --trainer.devices 2", "--trainer.process_group_backend nccl");
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, ContainsSubstring("trainer.process_group_backend=nccl carries tensors between GPUs") &&
                              ContainsSubstring("use gloo"));
}

TEST_CASE("tensors of GPUs go by NCCL") {
  const bool two_gpus = std::filesystem::exists("/dev/nvidia1");
  if (!two_gpus || !std::filesystem::exists(transport_library("nccl"))) {
    std::fprintf(stderr, "SKIPPED: tensors by NCCL: %s\n",
                 two_gpus ? "this Levin was built without it" : "there are no two GPUs here");
    return;
  }
  const Sandbox box;
  const Outcome outcome =
      run_script(box, "$fit --trainer.devices 2", "--trainer.accelerator gpu --callback collectives");
  CHECK(outcome.code == 0);
  for (const char* rank : {"0", "1"})
    CHECK_THAT(outcome.err, ContainsSubstring(std::string("rank ") + rank + " of 2: 0 wrong"));
  CHECK_THAT(box.read(box.run(0) / "log.txt"), ContainsSubstring("reductions go by") && ContainsSubstring("nccl"));
}
