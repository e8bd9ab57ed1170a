// host-trial: the program behind `host trial`.
#include "sweep/program/program.hpp"
#include "sweep/trial/trial_session.hpp"

using namespace levin::core::sweep;

int main(int argc, char** argv) {
  return run_program(
      [](const std::vector<std::string>& words) { return TrialSession(read_trial_arguments(words)).run(); }, argc,
      argv);
}
