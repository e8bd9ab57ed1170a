#include "host/engine/check/report.hpp"

#include <cstdio>

#include "core/abi/failure.hpp"

namespace levin::core {

bool Report::check(int number, const std::string& what, const Rule& rule) {
  const char* verdict = "PASS";
  std::string text;
  try {
    text = rule();
    if (!text.empty()) verdict = "FAIL";
  } catch (const Skip& skip) {
    verdict = "SKIP";
    text = skip.reason;
  } catch (const std::exception& e) {
    verdict = "FAIL";
    text = brief(e);
  }
  ++(verdict[0] == 'P' ? passed_ : verdict[0] == 'F' ? failed_ : skipped_);
  std::printf("  %2d %s %s%s%s\n", number, verdict, what.c_str(), text.empty() ? "" : ": ", text.c_str());
  std::fflush(stdout);  // the next rule may crash
  return verdict[0] == 'P';
}

void Report::heading(const std::string& text) const { std::printf("%s\n", text.c_str()); }

void Report::summary() const { std::printf("%d hold, %d fail, %d skipped\n", passed_, failed_, skipped_); }

}  // namespace levin::core
