#include "core/kernels/blas/blas_verdict.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "core/base/file.hpp"
#include "temp_folder.hpp"

using namespace levin::core;
namespace fs = std::filesystem;

namespace {

// A cache folder with a library.
struct Cache {
  Cache() {
    setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
    std::ofstream(library()) << "kernels";
  }
  ~Cache() { unsetenv("XDG_CACHE_HOME"); }
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;
  fs::path library() const { return folder / "libopenblas.so"; }
  BlasVerdict verdict() const { return {library().string(), "Prescott", "HASWELL", "", 30, 80}; }
  fs::path file() const { return folder / "levin" / "blas.json"; }
  TempFolder folder;
};

}  // namespace

TEST_CASE("a verdict is kept for a program") {
  const Cache cache;
  CHECK(!read_blas_verdict("/usr/bin/a"));
  keep_blas_verdict("/usr/bin/a", cache.verdict());
  const auto kept = read_blas_verdict("/usr/bin/a");
  REQUIRE(kept);
  CHECK(kept->core == "HASWELL");
  CHECK(kept->gflops == 80);
  CHECK(!read_blas_verdict("/usr/bin/b"));
}

TEST_CASE("a verdict on a library that has changed is none") {
  const Cache cache;
  keep_blas_verdict("a", cache.verdict());
  std::ofstream(cache.library()) << "other kernels";
  CHECK(!read_blas_verdict("a"));
  fs::remove(cache.library());
  CHECK(!read_blas_verdict("a"));
}

TEST_CASE("a verdict on another processor is none") {
  const Cache cache;
  keep_blas_verdict("a", cache.verdict());
  std::string text = read_file(cache.file());
  text.replace(text.find("\"processor\": \"") + 14, 0, "other ");
  std::ofstream(cache.file()) << text;
  CHECK(!read_blas_verdict("a"));
}

TEST_CASE("a damaged file of verdicts counts as none, and is replaced") {
  const Cache cache;
  fs::create_directories(cache.file().parent_path());
  for (const char* text :
       {"", "[]", "{\"a\": 3}", "{\"a\": {\"library\": 3}}", "{\"a\": {\"core\": \"HASWELL\"}}", "\x00\xff"}) {
    std::ofstream(cache.file()) << text;
    CHECK(!read_blas_verdict("a"));
    keep_blas_verdict("a", cache.verdict());
    CHECK(read_blas_verdict("a"));
  }
}

TEST_CASE("the variables of a verdict replace those of another one, and the user's own choice stays") {
  const Cache cache;
  keep_blas_verdict("a", cache.verdict());
  const std::string mark = "HASWELL " + cache.library().string();
  EnvironmentVariables variables;
  add_blas_variables(variables, "a");
  CHECK(variables == EnvironmentVariables{{blas_core_variable, "HASWELL"}, {chosen_core_variable, mark}});
  variables = {{blas_core_variable, "ZEN"}, {chosen_core_variable, "ZEN /elsewhere.so"}};
  add_blas_variables(variables, "a");
  CHECK(variables.at(blas_core_variable) == "HASWELL");
  add_blas_variables(variables, "unknown");
  CHECK(variables.empty());
  variables = {{blas_core_variable, "ZEN"}};
  add_blas_variables(variables, "a");
  CHECK(variables == EnvironmentVariables{{blas_core_variable, "ZEN"}});
}
