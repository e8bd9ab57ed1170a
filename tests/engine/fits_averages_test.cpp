// Weight averages in fits of several processes: all processes validate the model that is saved, and roll_back restores
// the average.
#include "core/base/text.hpp"
#include "fits.hpp"

namespace fits_averages_test {
namespace {

const std::string set_up =
    "--model.norm true --data.shuffle true --data.train 24 --data.val [6] --logger csv --trainer.log_every_n_steps 1 "
    "--trainer.num_sanity_val_steps 0 --trainer.max_epochs 3 ";
const std::string ema = "--callback ema=ema_weight_averaging --callback.ema.decay 0.5 ";

// The last value of the column "val" in metrics.csv.
double last_val(const Sandbox& box, int version) {
  const auto rows = levin::core::split(levin::core::trim(box.read(box.run(version) / "metrics.csv")), '\n');
  const auto names = levin::core::split(rows.at(0), ',');
  size_t column = 0;
  while (column < names.size() && names[column] != "val") ++column;
  REQUIRE(column < names.size());
  for (auto row = rows.rbegin(); row != rows.rend(); ++row)
    if (const auto values = levin::core::split(*row, ','); values.at(column).find_first_of("0123456789") == 0)
      return std::stod(values.at(column));
  FAIL("no row has it");
  return 0;
}

// Returns the name of the first tensor of weights, averages or optimizers that differs, or "".
std::string unlike(const std::string& a, const std::string& b) {
  const levin::core::SafetensorsReader one(a), other(b);
  if (one.names() != other.names()) return "the names of the tensors";
  for (const std::string& name : one.names())
    for (const char* begin : {"state_dict.", "extra.", "optimizer_states."})
      if (levin::core::starts_with(name, begin) && bytes_of(one, name) != bytes_of(other, name)) return name;
  return "";
}

}  // namespace

TEST_CASE("processes that each have statistics of their own validate the average that is saved") {
  const Sandbox box;
  const Outcome run = fit(box, 2, set_up + ema);
  REQUIRE(run.code == 0);
  const Outcome alone = box.bare("validate",
                                 "--model shared --model.norm true --trainer.accelerator cpu --data.val [6] --logger "
                                 "csv --ckpt_path " +
                                     last(box, 0));
  REQUIRE(alone.code == 0);
  CHECK(last_val(box, 1) == Approx(last_val(box, 0)).epsilon(1e-5));
}

TEST_CASE("a fit with averages that one process is told to end goes on as if nothing had been") {
  const std::string swa = "--callback swa=stochastic_weight_averaging --callback.swa.swa_epoch_start 1 ";
  const std::string epochs[] = {"1", "3"};  // the third epoch has the statistics of the average
  for (const std::string& callback : {ema, swa})
    for (const std::string& epoch : epochs) {
      if (callback == ema && epoch == "3") continue;
      const Sandbox box;
      REQUIRE(fit(box, 2, set_up + callback).code == 0);
      const Outcome first = fit(box, 2, set_up + callback + "--model.do terminate --model.epoch " + epoch);
      INFO(callback << epoch << "\n" << first.err);
      REQUIRE(first.code == 75);
      const Outcome second = box.host("resume " + box.run(1).string() + " --strict_resume");
      REQUIRE(second.code == 0);
      CHECK(difference(last(box, 0), last(box, 1)) == "");
      CHECK(box.read(box.run(0) / "metrics.csv") == box.read(box.run(1) / "metrics.csv"));
    }
}

TEST_CASE("the statistics of an average are those of the rows of all processes") {
  // The weights do not change, and the mean of all rows does not depend on their distribution over processes.
  const std::string words =
      "--model.norm true --data.batch_size 2 --trainer.max_epochs 1 --callback swa=stochastic_weight_averaging "
      "--callback.swa.swa_epoch_start 1 --callback.swa.swa_lrs 1e-30 --callback.swa.annealing_epochs 0";
  const Sandbox box;
  REQUIRE(fit(box, 1, words).code == 0);
  const Outcome two = fit(box, 2, words);
  REQUIRE(two.code == 0);
  const std::string name = "state_dict.norm.running_mean";
  const Weights one = weights_in(last(box, 0)), both = weights_in(last(box, 1));
  REQUIRE(one.count(name) == 1);
  CHECK(apart({{name, one.at(name)}}, {{name, both.at(name)}}) <= 1e-6);
}

// The newest checkpoint is that of the previous batch, so roll_back is equivalent to skip.
TEST_CASE("roll_back takes the average from the average, and the weights from the weights") {
  const std::string words = ema +
                            "--trainer.max_epochs 2 --model.do nan --model.batch 2 --model.rank 0 "
                            "--callback.model_checkpoint.every_n_train_steps 1 --trainer.non_finite ";
  for (const int processes : {1, 2}) {
    const Sandbox box;
    REQUIRE(fit(box, processes, words + "skip").code == 0);
    const Outcome back = fit(box, processes, words + "roll_back");
    INFO(processes << "\n" << back.err);
    REQUIRE(back.code == 0);
    CHECK_THAT(back.err, ContainsSubstring("restored weights and optimizers from "));
    CHECK(unlike(last(box, 0), last(box, 1)) == "");
  }
}

TEST_CASE("roll_back counts what the average is of as it was then") {
  const std::string words =
      "--callback average=weight_averaging --data.train 24 --trainer.max_epochs 1 --model.do nan --model.batch 2 "
      "--model.rank 0 --callback.model_checkpoint.every_n_train_steps 2 --trainer.non_finite ";
  const auto averaged = [](const std::string& path) {
    const levin::core::SafetensorsReader file(path);
    int64_t n = 0;
    std::memcpy(&n, bytes_of(file, "callbacks.average.n_averaged").data(), sizeof n);
    return n;
  };
  const Sandbox box;
  REQUIRE(fit(box, 1, words + "skip").code == 0);
  REQUIRE(fit(box, 1, words + "roll_back").code == 0);
  CHECK(averaged(last(box, 0)) == 6);
  CHECK(averaged(last(box, 1)) == 5);  // rolled back from the third step to the second
}

TEST_CASE("roll_back leaves the learning rate where schedules have brought it") {
  const Sandbox box;
  // The only checkpoint is from the end of the first epoch. The rate falls every second step.
  const std::string words = "--trainer.max_epochs 3 ";
  REQUIRE(fit(box, 1, words).code == 0);
  const Outcome back = fit(
      box, 1, words + "--model.do nan --model.epoch 1 --model.batch 2 --model.rank 0 --trainer.non_finite roll_back");
  REQUIRE(back.code == 0);
  const auto rates = [&](int version) {
    const levin::core::SafetensorsReader file(last(box, version));
    return file.manifest()["optimizer_states"][0]["values"]["groups"][0]["options"]["lr"].get<double>();
  };
  CHECK(rates(1) == Approx(rates(0)));
}

TEST_CASE("only the process that saves a checkpoint of an exception says so") {
  const std::string words =
      "--callback on_exception_checkpoint --callback.model_checkpoint.save_on_exception true --model.do kill "
      "--model.batch 2 --model.rank ";
  for (const int rank : {0, 1}) {
    const Sandbox box;
    const Outcome killed = fit(box, 2, words + std::to_string(rank));
    CHECK(killed.code == 137);
    const bool there = std::filesystem::exists(box.run(0) / "checkpoints" / "on_exception.ckpt");
    CHECK(there == (rank == 1));
    CHECK((killed.err.find("saved ") != std::string::npos) == there);
    if (rank == 0) CHECK_THAT(box.read(box.run(0) / "log.rank-1.txt"), !ContainsSubstring("saved "));
  }
}

TEST_CASE("the data module's state reaches all processes, whatever their number is now") {
  const std::string quiet =
      LEVIN_TEST_QUIET " --logger false --trainer.accelerator cpu --trainer.num_sanity_val_steps 0 ";
  for (const int before : {1, 2}) {
    const Sandbox box;
    const Outcome first =
        box.host("fit --plugins " LEVIN_TEST_PLUGINS " --model shared --data known --data.batch_size 1 " + quiet +
                 "--trainer.max_epochs 1" + devices + std::to_string(before));
    REQUIRE(first.code == 0);
    const Outcome resumed = box.host("resume " + box.run(0).string() + " --trainer.max_epochs 2" + devices + "3");
    REQUIRE(resumed.code == 0);
    for (const char* rank : {"0", "1", "2"})
      CHECK(starting(resumed.trace, rank + std::string(": knows ")) ==
            std::vector<std::string>{rank + std::string(": knows 7")});
  }
}

}  // namespace fits_averages_test
