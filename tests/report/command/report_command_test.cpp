// host report on real runs.
#include "host_process/sandbox.hpp"

namespace {

const std::string fit =
    "fit --model mlp --data synthetic --max_epochs 2 --log_every_n_steps 1 --trainer.limit_train_batches 4 ";

}  // namespace

TEST_CASE("host report writes a report on one run, and on a folder of runs") {
  const Sandbox sandbox;
  REQUIRE(sandbox.host(fit + "--logger csv --lr 0.01").code == 0);
  REQUIRE(sandbox.host(fit + "--logger jsonl --lr 0.02").code == 0);
  Outcome outcome = sandbox.host("report levin_logs/version_0");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, ContainsSubstring("report.html"));
  std::string html = sandbox.read(sandbox.folder() / "report.html");
  for (const char* part :
       {"Run version_0", "<td>done</td>", "<title>loss</title>", "trainer.max_epochs", "--max_epochs", "last.ckpt"})
    CHECK_THAT(html, ContainsSubstring(part));
  outcome = sandbox.host("report levin_logs --output both.md");
  CHECK(outcome.code == 0);
  const std::string text = sandbox.read(sandbox.folder() / "both.md");
  CHECK_THAT(text, ContainsSubstring("| model.lr | 0.01 | 0.02 |") && ContainsSubstring("(both_figures/loss.svg)"));
  CHECK_THAT(sandbox.read(sandbox.folder() / "both_figures/loss.svg"), ContainsSubstring(">version_0 train"));
}

TEST_CASE("host report refuses what it cannot do") {
  const Sandbox sandbox;
  REQUIRE(sandbox.host(fit + "--logger csv").code == 0);
  const std::pair<const char*, const char*> wrong[] = {
      {"report", "no run is named"},
      {"report nowhere", "there is no folder"},
      {"report .", "no runs are in"},
      {"report levin_logs --output x.pdf", "has to end with .html or .md"},
      {"report levin_logs --outptu x.md", "--outptu"}};
  for (const auto& [arguments, message] : wrong) {
    const Outcome outcome = sandbox.host(arguments);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, ContainsSubstring(message));
  }
  REQUIRE(sandbox.host("report levin_logs").code == 0);
  const Outcome again = sandbox.host("report levin_logs");
  CHECK(again.code == 2);
  CHECK_THAT(again.err, ContainsSubstring("already exists; --force replaces it, or name another"));
  CHECK(sandbox.host("report levin_logs --force").code == 0);
}
