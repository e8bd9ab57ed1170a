// conformance_runner CASES.json [--suite NAME] [--verbose] [--json OUT]
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <optional>
#include <string>

#include "conformance/harness/setting.hpp"
#include "conformance/registry.hpp"
#include "conformance/report.hpp"
#include "core/base/error.hpp"

namespace {

using namespace conformance;
using levin::core::Error;
using levin::core::ErrorCode;

struct Choices {
  std::string cases;
  std::optional<std::string> suite, json;
  bool verbose = false;
};

Choices read_choices(int argc, char** argv) {
  Choices out;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool takes = word == "--suite" || word == "--json";
    if (takes && i + 1 == argc) throw Error(ErrorCode::argument_missing, word + " needs a value");
    if (word == "--verbose")
      out.verbose = true;
    else if (takes)
      (word == "--suite" ? out.suite : out.json) = argv[++i];
    else if (word[0] == '-' || !out.cases.empty())
      throw Error(ErrorCode::argument_unexpected, "'" + word + "' is not understood");
    else
      out.cases = word;
  }
  if (out.cases.empty())
    throw Error(ErrorCode::argument_missing,
                "usage: conformance_runner CASES.json [--suite NAME] [--verbose] [--json OUT]");
  return out;
}

int run(const Choices& choices) {
  const CaseFile file = read_case_file(choices.cases);
  if (choices.suite && !file.suite(*choices.suite))
    throw Error(ErrorCode::option_value_invalid, choices.cases + " has no suite '" + *choices.suite + "'");
  set_up_process();
  Report report(choices.verbose);
  for (const Case& c : file.cases) {
    if (choices.suite && c.suite != *choices.suite) continue;
    const SuiteInfo* suite = file.suite(c.suite);
    report.add(c, suite ? suite->kind : "run", run_case(c));
  }
  report.print();
  if (choices.json) {
    std::ofstream out(*choices.json);
    out << report.list().dump(1) << '\n';
    if (!out.flush()) throw Error(ErrorCode::option_value_invalid, *choices.json + " cannot be written");
  }
  return report.failed() ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  int code = 2;
  try {
    code = run(read_choices(argc, argv));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "conformance_runner: error: %s\n", e.what());
  }
  std::fflush(stdout);
  _exit(code);  // skip static destructors of plugins: they would run after parts of LibTorch are destroyed
}
