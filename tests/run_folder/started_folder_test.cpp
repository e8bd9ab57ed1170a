#include "core/run_folder/started_folder.hpp"

#include "catch.hpp"
#include "temp_folder.hpp"

using levin::core::StartedFolder;
namespace fs = std::filesystem;

namespace {

fs::path new_run(const TempFolder& root) {
  const fs::path run = root.path() / "version_0";
  fs::create_directories(run / "checkpoints");
  for (const char* name : {"config.json", "log.txt", ".lock", "log.rank-1.txt", ".delivered.remote"})
    std::ofstream(run / name) << "x";
  return run;
}

}  // namespace

TEST_CASE("the folder of a run that has done nothing goes, with what loggers have begun with") {
  const TempFolder root;
  const fs::path run = new_run(root);
  int removed = 0;
  {
    StartedFolder started(run, [&removed] { ++removed; });
    started.with_loggers([&run] { std::ofstream(run / "events.1") << "x"; });
    const auto fails = [&run] {
      std::ofstream(run / "metrics.jsonl") << "x";
      throw 1;
    };
    CHECK_THROWS_AS(started.with_loggers(fails), int);
  }
  CHECK_FALSE(fs::exists(run));
  CHECK(removed == 1);
}

TEST_CASE("a folder with anything else stays whole, as one of a run that has done something does") {
  const auto put = [](const fs::path& file) { std::ofstream(file) << "x"; };
  const std::function<void(const fs::path&, StartedFolder&)> keeps[] = {
      [](const fs::path&, StartedFolder& started) { started.keep(); },
      [&put](const fs::path& run, StartedFolder&) { put(run / "damaged_images.txt"); },
      [&put](const fs::path& run, StartedFolder&) { put(run / "checkpoints" / "interrupted.ckpt"); },
      [](const fs::path& run, StartedFolder&) { fs::create_directory(run / "pictures"); },
      [](const fs::path& run, StartedFolder&) {
        fs::remove(run / "log.txt");
        fs::create_symlink("/etc/passwd", run / "log.txt");
      }};
  for (const auto& keep : keeps) {
    const TempFolder root;
    const fs::path run = new_run(root);
    int removed = 0;
    {
      StartedFolder started(run, [&removed] { ++removed; });
      keep(run, started);
    }
    CHECK(fs::exists(run / "config.json"));
    CHECK(fs::exists(run / "checkpoints"));
    CHECK(removed == 0);
  }
}
