// Evaluation, predictions and logged values with several processes, compared with one process.
#include <algorithm>
#include <cmath>

#include "core/base/file.hpp"
#include "core/base/text.hpp"
#include "host_process/sandbox.hpp"

namespace several_processes_test {
namespace fs = std::filesystem;
namespace {

const std::string quiet = LEVIN_TEST_QUIET " --logger false ";
const std::string rows_data = " --data rows --data.batch_size 2 --data.eval_batch_size 2 ";

struct Ranks {
  std::vector<Outcome> all;
  std::vector<std::string> trace;
  std::vector<std::string> of(int rank, const std::string& begin) const {
    const std::string prefix = std::to_string(rank) + ": ";
    std::vector<std::string> found;
    for (const std::string& line : starting(trace, prefix + begin)) found.push_back(line.substr(prefix.size()));
    return found;
  }
};

// All must succeed.
Ranks ranks(const Sandbox& box, int n, const std::string& words) {
  const Ranks ranks{box.ranks(n, words + " --plugins " LEVIN_TEST_PLUGINS " " + quiet + "--trainer.accelerator cpu"),
                    box.trace()};
  for (const Outcome& one : ranks.all) CHECK(one.code == 0);
  return ranks;
}

std::vector<std::string> rows(const Sandbox& box, const std::string& file) {
  return levin::core::split(levin::core::trim(box.read(file)), '\n');
}

}  // namespace

TEST_CASE("a validation of several processes is that of one, whatever number of rows each has") {
  const Sandbox box;
  const std::string words = "validate --model teller --trainer.enable_checkpointing false --data.val [7,2]" + rows_data;
  const Ranks one = ranks(box, 1, words), three = ranks(box, 3, words),
              padded = ranks(box, 3, words + "--trainer.pad_evaluation ");
  const auto expected = one.of(0, "sees ");
  REQUIRE(expected.size() == 11);
  CHECK(std::count(expected.begin(), expected.end(), "sees rows/dataloader_idx_0 7") == 1);
  for (int rank = 0; rank < 3; ++rank) {
    for (const std::string& line : expected) {
      if (line.find("val_own") != std::string::npos) continue;
      INFO(rank << ": " << line);
      const size_t name = line.rfind(' ') + 1;
      const auto found = three.of(rank, line.substr(0, name));
      REQUIRE(found.size() == 1);
      const bool mean = line.find("sees mean") == 0;  // its sums are rounded in another order
      CHECK(std::abs(std::stod(found[0].substr(name)) - std::stod(line.substr(name))) <= (mean ? 1e-6 : 0));
    }
    CHECK(three.of(rank, "sees ") == three.of(0, "sees "));
    CHECK(three.of(rank, "would validate ") == std::vector<std::string>{"would validate 3"});
  }
  CHECK(three.of(2, "loader ") == std::vector<std::string>{"loader 0 has 2 rows"});
  CHECK(padded.of(2, "loader ") ==
        std::vector<std::string>{"loader 0 has 2 rows", "loader 0 has 1 rows", "loader 1 has 1 rows"});
  CHECK(padded.of(1, "sees rows/dataloader_idx_0 9").size() == 1);
}

TEST_CASE("predictions of several processes are one file in the order of rows") {
  const Sandbox box;
  for (const std::string part : {"--data.predict [7,4]", "--data.predict [2]"}) {
    INFO(part);
    const std::string words = "predict --model teller " + part + rows_data + " --trainer.default_root_dir ";
    ranks(box, 1, words + "one");
    ranks(box, 3, words + "three");
    CHECK(rows(box, "three/levin_logs/version_0/predictions.csv") ==
          rows(box, "one/levin_logs/version_0/predictions.csv"));
    fs::remove_all(box.folder() / "one");
    fs::remove_all(box.folder() / "three");
  }
  ranks(box, 2,
        "predict --model teller --data.predict [7] --trainer.limit_predict_batches 1" + rows_data +
            "--trainer.default_root_dir limited");
  const auto limited = rows(box, "limited/levin_logs/version_0/predictions.csv");
  REQUIRE(limited.size() == 5);
  for (size_t i = 1; i < limited.size(); ++i) CHECK(limited[i].substr(0, 2) == std::to_string(i - 1) + ",");
  ranks(box, 2,  // the streams end before the limit
        "predict --model teller --data numbered --data.loaders 2 --trainer.limit_predict_batches 10 "
        "--trainer.default_root_dir stream");
  std::vector<std::string> expected = {"prediction"};
  for (int row = 0; row < 20; ++row) expected.push_back(std::to_string(row % 10 / 2));
  CHECK(rows(box, "stream/levin_logs/version_0/predictions.csv") == expected);
  const Ranks none = ranks(box, 2, "predict --model teller --data numbered --data.batches 0");
  CHECK(none.all[0].err.find("nothing is predicted: ") != std::string::npos);
}

TEST_CASE("processes of a fit decide alike, and say things once") {
  const Sandbox box;
  const Ranks two =
      ranks(box, 2,
            "fit --model teller --model.plateau --data.train 8 --data.val [1]" + rows_data +
                "--trainer.max_epochs 3 --trainer.log_every_n_steps 1 --callback.model_checkpoint.monitor own "
                "--callback.model_checkpoint.save_top_k 1");
  CHECK(two.all[0].out.find("said once") != std::string::npos);
  CHECK(two.all[1].out.empty());
  const std::string warning = "'own' is monitored and not reduced over the 2 ranks";
  CHECK(two.all[0].err.find(warning) != std::string::npos);
  CHECK(two.all[0].err.find(warning) == two.all[0].err.rfind(warning));
  CHECK(two.all[1].err.find("is monitored") == std::string::npos);
  CHECK(two.of(0, "rate ").size() == 3);
  CHECK(two.of(0, "rate ") == two.of(1, "rate "));
  CHECK(two.of(0, "sees ") == two.of(1, "sees "));
}

TEST_CASE("the processes take a stream's batches in turns, and end a training epoch together") {
  const Sandbox box;
  const Ranks two = ranks(box, 2,
                          "fit --model teller --model.on_step synced --data numbered --trainer.max_epochs 1 "
                          "--trainer.log_every_n_steps 1 --trainer.num_sanity_val_steps 3");
  CHECK(two.of(0, "trains ") == std::vector<std::string>{"trains 0", "trains 4"});
  CHECK(two.of(1, "trains ") == std::vector<std::string>{"trains 2", "trains 6"});
  for (int rank = 0; rank < 2; ++rank) {
    CHECK(two.of(rank, "sees rows 10").size() == 1);
    CHECK(two.of(rank, "sees most 4").size() == 1);
  }
}

}  // namespace several_processes_test
