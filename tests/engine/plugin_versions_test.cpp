// The state of a component that has changed since the checkpoint was saved.
#include "host_process/sandbox.hpp"

namespace plugin_versions_test {
namespace {

struct Versions {
  Sandbox sandbox;
  std::filesystem::path folder = sandbox.folder() / "own";

  void install(const char* version) const {
    std::filesystem::create_directories(folder);
    std::filesystem::remove(folder / "libversions.so");
    std::filesystem::copy_file(version, folder / "libversions.so");
  }
  Outcome fit() const {
    return sandbox.bare("fit",
                        "--model plain --callback keeper --callback.model_checkpoint.monitor '' --trainer.max_epochs 1 "
                        "--plugins " +
                            folder.string());
  }
  Outcome resume(const std::string& words) const {
    return sandbox.host("resume " + sandbox.run().string() + " --max_epochs 2 " + words);
  }
};

}  // namespace

TEST_CASE("state of a version that is too old is refused, and left out if that is allowed") {
  const Versions v;
  v.install(LEVIN_TEST_VERSION_1);
  REQUIRE(v.fit().code == 0);
  const Outcome same = v.resume("");
  CHECK_THAT(same.err, ContainsSubstring("loaded 4 of version 1.0.0"));
  v.install(LEVIN_TEST_VERSION_2);
  const Outcome lost = v.resume("");
  CHECK(lost.code == 2);
  CHECK_THAT(lost.error(), ContainsSubstring("no longer has the option callback.keeper.beta"));
  const Outcome allowed = v.resume("--allow_plugin_changes");
  CHECK(allowed.code == 0);
  CHECK_THAT(allowed.err,
             ContainsSubstring("the state of callbacks.keeper is of keeper 1.0.0, and 2.0.0 loads the state "
                               "of 2.0.0 and newer: it is left out") &&
                 !ContainsSubstring("loaded"));
}

TEST_CASE("a checkpoint whose state a new version does not take is refused by its name") {
  const Versions v;
  v.install(LEVIN_TEST_VERSION_1);
  REQUIRE(v.fit().code == 0);
  v.install(LEVIN_TEST_VERSION_2);
  const Outcome refused = v.sandbox.bare(
      "fit", "--model plain --callback keeper --trainer.max_epochs 2 --ckpt_path last --plugins " + v.folder.string());
  CHECK(refused.code == 5);
  CHECK(refused.error_code() == "E0506");
  CHECK_THAT(refused.error(),
             ContainsSubstring(".ckpt: the state of callbacks.keeper is of keeper 1.0.0, and 2.0.0 loads "
                               "the state of 2.0.0 and newer; --allow_plugin_changes resumes without this state"));
}

TEST_CASE("state of a newer version, and of another component, is told of") {
  const Versions v;
  v.install(LEVIN_TEST_VERSION_2);
  REQUIRE(v.fit().code == 0);
  v.install(LEVIN_TEST_VERSION_1);
  const std::string fit = "--model plain --trainer.max_epochs 2 --ckpt_path last --plugins " + v.folder.string();
  const Outcome newer = v.sandbox.bare("fit", fit + " --callback keeper");
  CHECK(newer.code == 0);
  CHECK_THAT(newer.err, ContainsSubstring("is of keeper 2.0.0, which is newer than the plugin's 1.0.0") &&
                            ContainsSubstring("loaded 4 of version 2.0.0"));
  const Outcome other = v.sandbox.bare("fit", fit + " --callback keeper=recorder");
  CHECK(other.code == 0);
  CHECK_THAT(other.err,
             ContainsSubstring("the state of callbacks.keeper was saved by 'levin.test.versions:keeper', not by "
                               "'levin.test.portable:recorder': it is left out"));
}

TEST_CASE("a run whose callback's plugin is gone goes on without it if that is allowed") {
  const Versions v;
  v.install(LEVIN_TEST_VERSION_1);
  REQUIRE(v.fit().code == 0);
  std::filesystem::remove(v.folder / "libversions.so");
  CHECK(v.resume("").code == 3);
  const Outcome allowed = v.resume("--allow_plugin_changes");
  CHECK(allowed.code == 0);
  CHECK_THAT(allowed.err, ContainsSubstring("callback keeper of the saved run: ") &&
                              ContainsSubstring("the run resumes without it and its state"));
  CHECK(v.sandbox.host("resume " + v.sandbox.run().string() + " --max_epochs 3").code ==
        0);  // the new checkpoint does not have the callback
}

}  // namespace plugin_versions_test
