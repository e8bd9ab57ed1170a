// Fits that resume with another number of processes.
#include "fits.hpp"

namespace fits_resized_test {
namespace {

nlohmann::json manifest_of(const std::string& path) { return levin::core::SafetensorsReader(path).manifest(); }

std::string resume(const Sandbox& box, int processes) {
  return "resume " + box.run(0).string() + devices + std::to_string(processes);
}

// Checks the learning rates of the optimizer and of its schedule: lr, initial_lr, base_lr.
void check_rates(const std::string& path, double full) {
  const nlohmann::json m = manifest_of(path);
  const nlohmann::json group = m.at("optimizer_states").at(0).at("values").at("groups").at(0);
  const int64_t steps = m.at("global_step").get<int64_t>();
  CHECK(group.at("options").at("lr").get<double>() == Approx(full * std::pow(0.9, steps / 2)));
  CHECK(group.at("initial_lr").get<double>() == Approx(full));
  CHECK(m.at("lr_schedulers").at(0).at("base_lrs").at(0).get<double>() == Approx(full));
}

std::vector<double> rates_in(const Outcome& outcome) {
  const std::string begin = "0: rate ";
  std::vector<double> out;
  for (const std::string& line : starting(outcome.trace, begin)) out.push_back(std::stod(line.substr(begin.size())));
  return out;
}

}  // namespace

TEST_CASE("a window of accumulation begins anew with another number of processes") {
  const std::string words =
      "--data.train 32 --data.batch_size 1 --trainer.accumulate_grad_batches 4 --trainer.max_epochs 1 "
      "--model.do terminate --model.rank 0 --model.batch ";
  struct Case {
    int before, batch, now;
    std::string first;  // first batch after the resume
    size_t steps;       // remaining steps
  };
  const Case cases[] = {
      {1, 11, 2, "0 4", 3},  // at the end of a window: 6 of 16 batches are done
      {1, 9, 2, "0 4", 3},   // within a window
      {2, 4, 1, "0 12", 5},  // within a window; resumes at the beginning of one
  };
  for (const Case& c : cases) {
    INFO("from " << c.before << " to " << c.now << " after batch " << c.batch);
    const Sandbox box;
    REQUIRE(fit(box, c.before, words + std::to_string(c.batch)).code == 75);
    const Outcome rest = box.host(resume(box, c.now) + " --model.do nothing");
    CHECK(rest.code == 0);
    CHECK_THAT(rest.err, ContainsSubstring("same fraction of its rows, with a new accumulation window"));
    const auto ends = starting(rest.trace, "0: ends ");
    REQUIRE_FALSE(ends.empty());
    CHECK(ends.front() == "0: ends " + c.first);
    CHECK(rates_in(rest).size() == c.steps);
  }
}

TEST_CASE("a batch that all processes share out stays that batch with another number of them") {
  struct Case {
    int before, batch, now;
    std::string next;
  };
  // Several processes stop together one batch later.
  for (const Case& c : {Case{2, 0, 1, "0: ends 0 2"}, Case{1, 1, 2, "0: ends 0 2"}}) {
    INFO("from " << c.before << " to " << c.now);
    const Sandbox box;
    REQUIRE(box.host("fit --plugins " LEVIN_TEST_PLUGINS
                     " --model shared --data rows --data.train 12 --data.global_batch_size 4 --trainer.max_epochs 1 "
                     "--trainer.accelerator cpu --model.do terminate --model.rank 0 --model.batch " +
                     std::to_string(c.batch) + devices + std::to_string(c.before))
                .code == 75);
    const Outcome rest = box.host(resume(box, c.now) + " --model.do nothing");
    REQUIRE(rest.code == 0);
    const auto ends = starting(rest.trace, "0: ends ");
    REQUIRE_FALSE(ends.empty());
    CHECK(ends.front() == c.next);
  }
}

TEST_CASE("gradients of a window that others began are given up") {
  const std::string words =
      "--data.train 32 --data.batch_size 2 --trainer.accumulate_grad_batches 4 --trainer.max_epochs 1 ";
  const Sandbox box;
  REQUIRE(fit(box, 1, words + "--model.do terminate --model.rank 0 --model.batch 1").code == 75);
  REQUIRE(box.host(resume(box, 2) + " --model.do nothing").code == 0);
  REQUIRE(fit(box, 2, words).code == 0);
  CHECK(apart(weights_in(last(box, 0)), weights_in(last(box, 1))) == 0);  // no step was done before the resume
}

TEST_CASE("learning rates that were scaled are so by the new number of processes") {
  struct Case {
    std::string scaling;
    double before, one, three;
  };
  const Case cases[] = {{"linear", 2, 1, 3}, {"sqrt", std::sqrt(2.0), 1, std::sqrt(3.0)}, {"none", 1, 1, 1}};
  for (const Case& c : cases) {
    const Sandbox box;
    REQUIRE(fit(box, 2, "--trainer.max_epochs 1 --trainer.scale_lr " + c.scaling).code == 0);
    check_rates(last(box, 0), 0.05 * c.before);
    int epochs = 1;
    for (const int processes : {3, 1}) {
      const Outcome rest = box.host(resume(box, processes) + " --trainer.max_epochs " + std::to_string(++epochs));
      INFO(c.scaling << " " << processes << "\n" << rest.err);
      REQUIRE(rest.code == 0);
      check_rates(last(box, 0), 0.05 * (processes == 1 ? c.one : c.three));
      const bool told = rest.err.find("the factor of learning rates (trainer.scale_lr) is ") != std::string::npos;
      CHECK(told == (c.scaling != "none"));
    }
  }
}

TEST_CASE("scaled learning rates go on growing with another number of processes") {
  const Sandbox box;
  REQUIRE(fit(box, 2, "--trainer.max_epochs 1 --trainer.scale_lr linear --trainer.scale_lr_warmup_epochs 10").code ==
          0);
  const Outcome rest = box.host(resume(box, 3) + " --trainer.max_epochs 2");
  REQUIRE(rest.code == 0);
  const std::vector<double> rates = rates_in(rest);
  REQUIRE(rates.size() == 2);  // 12 rows with 6 per step; 3 steps of 4 rows were done before
  for (int step = 3; step < 5; ++step)
    CHECK(rates[static_cast<size_t>(step - 3)] == Approx(0.05 * std::pow(0.9, step / 2) * (1 + (3.0 - 1) * step / 20)));
}

}  // namespace fits_resized_test
