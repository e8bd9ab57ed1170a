#include "sweep/schedule/schedule.hpp"

#include <cmath>
#include <map>

#include "catch.hpp"
#include "sweep/study/journal.hpp"
#include "temp_folder.hpp"

using namespace levin::core;
using namespace levin::core::sweep;

namespace {

// Runs a schedule with a made objective: loss = |x - 0.5| + 1 / epochs. Each decision is made from the study as it is
// read from the disk, by a schedule that knows nothing else.
struct Simulation {
  TempFolder temp;
  ScheduleOptions options;
  std::vector<Parameter> parameters = {read_parameter("x", "uniform(0.01,1)", "x")};
  std::map<int64_t, int64_t> epochs;  // by trial
  size_t steps = 0;

  Study run() {
    const std::filesystem::path file = temp.path() / "study.journal";
    for (; steps < 1000; ++steps) {
      Journal journal(file, "made", false);
      const auto schedule =
          make_schedule(options, parameters, make_sampler(SamplerKind::random, parameters, options.seed));
      const Step step = schedule->next(read_study(file));
      if (step.what == Step::What::finish) break;
      REQUIRE(step.what != Step::What::wait);
      int64_t number = step.trial;
      if (step.what == Step::What::start) {
        nlohmann::json attributes = step.attributes;
        attributes["run"] = "trial_" + std::to_string(journal.study().trials.size());
        number = journal.start(parameters, step.values, attributes);
      } else {
        journal.set(number, "epochs", step.epochs);
      }
      const Trial trial = journal.study().trials.at(static_cast<size_t>(number));
      epochs[number] = trial.epochs();
      const double loss = std::abs(trial.values.at("x") - 0.5) + 1.0 / static_cast<double>(trial.epochs());
      if (schedule->pauses(trial))
        journal.reach(number, trial.epochs(), loss);
      else
        journal.end(number, TrialState::complete, loss, {{trial.epochs(), loss}}, "");
    }
    return read_study(file);
  }
};

double distance(const Trial& trial) { return std::abs(trial.values.at("x") - 0.5); }

}  // namespace

TEST_CASE("successive halving trains the best trials to the end, and few of the others") {
  Simulation made;
  made.options.kind = ScheduleKind::asha;
  made.options.trials = 27;
  made.options.max_epochs = 27;
  const Study study = made.run();
  CHECK(study.trials.size() == 27);
  std::map<int64_t, int> at;
  double best = 1;
  for (const Trial& trial : study.trials) {
    ++at[made.epochs.at(trial.number)];
    best = std::min(best, distance(trial));
  }
  CHECK(at[1] >= 13);  // algorithm 2 promotes a few more than a third, since it does not wait
  CHECK(at[1] + at[3] >= 20);
  CHECK(at[27] >= 1);
  REQUIRE(study.best() != nullptr);
  CHECK(distance(*study.best()) == best);
  CHECK(made.epochs.at(study.best()->number) == 27);
}

TEST_CASE("with few trials the best one still goes on to the end") {
  Simulation made;
  made.options.kind = ScheduleKind::asha;
  made.options.trials = 2;
  made.options.max_epochs = 9;
  const Study study = made.run();
  REQUIRE(study.best() != nullptr);
  const Trial& other = study.trials.at(study.best()->number == 0 ? 1 : 0);
  CHECK(distance(*study.best()) < distance(other));
  CHECK(made.epochs.at(other.number) == 1);
}

TEST_CASE("a population replaces its worst members by changed copies of its best ones") {
  Simulation made;
  made.options.kind = ScheduleKind::pbt;
  made.options.trials = 10;
  made.options.interval = 2;
  made.options.max_epochs = 8;
  const Study study = made.run();
  CHECK(study.trials.size() == 10 + 3 * 2);  // a fifth after each generation but the last
  CHECK(study.count(TrialState::complete) == 10);
  for (const Trial& trial : study.trials) {
    if (trial.parent() < 0) continue;
    const Trial& parent = study.trials.at(static_cast<size_t>(trial.parent()));
    INFO("trial " << trial.number << " of " << parent.number);
    const double ratio = trial.values.at("x") / parent.values.at("x");
    const double anew =
        random_values(made.parameters, made.options.seed,
                      static_cast<uint64_t>(trial.generation()) << 32 | static_cast<uint64_t>(trial.member()))[0];
    const bool perturbed = std::abs(ratio - 0.8) < 1e-9 || std::abs(ratio - 1.2) < 1e-9 || trial.values.at("x") == 1;
    CHECK((perturbed || trial.values.at("x") == anew));
    int better = 0;  // the parent was one of the two best of its generation
    for (const Trial& one : study.trials) {
      const auto value = one.at_epoch.find((trial.generation() - one.generation()) * 2);
      const auto its = parent.at_epoch.find((trial.generation() - parent.generation()) * 2);
      REQUIRE(its != parent.at_epoch.end());
      if (one.generation() < trial.generation() && value != one.at_epoch.end() && value->second < its->second) ++better;
    }
    CHECK(better < 2);
  }
}
