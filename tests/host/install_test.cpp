// `host install` and `host uninstall` change only the user's folder.
#include <sys/stat.h>

#include "core/base/file.hpp"
#include "installation.hpp"

namespace fs = std::filesystem;

namespace {

constexpr char users[] = ".local/share/levin/plugins";

// An installation whose only plugin is outside of it, as after a build.
struct Built : Installation {
  Built() {
    fs::create_directory(folder() / "build");
    fs::rename(plugins() / "libtoy.so", folder() / "build" / "libtoy.so");
    engine_ends_with(0);
  }
  void engine_ends_with(int code) const {
    write("libexec/levin/host-engine",
          "#!/bin/sh\necho \"engine $*\" >>words.txt\necho rule 7 failed\nexit " + std::to_string(code) + "\n");
  }
  bool has(const std::string& name) const { return fs::exists(folder() / users / name); }
};

}  // namespace

TEST_CASE("a plugin that passes host check is copied to where every run finds it") {
  const Built here;
  const Answer answer = here.host("install build/libtoy.so");
  CHECK(answer.code == 0);
  CHECK_THAT(answer.out, ContainsSubstring("/.local/share/levin/plugins/libtoy.so: installed (") &&
                             ContainsSubstring("model toy_net"));
  CHECK_THAT(levin::core::read_file(here.folder() / "words.txt"), ContainsSubstring("engine --check-fd "));
  struct stat st {};
  REQUIRE(stat((here.folder() / users / "libtoy.so").c_str(), &st) == 0);
  CHECK((st.st_mode & 07777) == 0644);
  CHECK_THAT(here.host("plugins").out, ContainsSubstring("toy_net"));
  CHECK_THAT(here.host("install build/libtoy.so").out, ContainsSubstring("libtoy.so: replaced ("));
  CHECK_THAT(here.host("install " + std::string(users) + "/libtoy.so").error(),
             ContainsSubstring("is this file already"));
}

TEST_CASE("a plugin that fails the check is not installed, unless the check is left out") {
  const Built here;
  here.engine_ends_with(3);
  const Answer answer = here.host("install build/libtoy.so");
  CHECK(answer.code == 3);
  CHECK_THAT(answer.out, ContainsSubstring("rule 7 failed"));
  CHECK_THAT(answer.error(), ContainsSubstring("is not installed: `host check` failed"));
  CHECK_FALSE(here.has("libtoy.so"));
  CHECK(here.host("install build/libtoy.so --no-check").code == 0);
  CHECK(here.has("libtoy.so"));
}

TEST_CASE("another plugin's file is replaced by --force only, and a plugin is not installed twice") {
  const Built here;
  here.write(std::string(users) + "/libtoy.so", "not a plugin");
  CHECK_THAT(here.host("install build/libtoy.so").error(),
             ContainsSubstring("libtoy.so already exists and is no plugin, not '") &&
                 ContainsSubstring("--force replaces it"));
  CHECK_THAT(here.host("install build/libtoy.so --force").out, ContainsSubstring("replaced ("));
  fs::copy_file(here.folder() / "build/libtoy.so", here.folder() / "build/libother.so");
  CHECK_THAT(here.host("install build/libother.so").error(),
             ContainsSubstring("is installed already, as ") && ContainsSubstring("`host uninstall libtoy.so` first"));
}

TEST_CASE("a component that another plugin has too is told of") {
  const Built here;
  here.add_plugin("documented_stopping", "libstopping.so");
  here.add_plugin("documented_foreign", "build/libforeign.so");
  const Answer answer = here.host("install build/libforeign.so");
  CHECK(answer.code == 0);
  CHECK_THAT(answer.err,
             ContainsSubstring("host: warning: the callback 'early_stopping' is also in ") &&
                 ContainsSubstring("libstopping.so: runs must name one of them, org.example:early_stopping or "
                                   "levin.early_stopping:early_stopping\n"));
}

TEST_CASE("what cannot be installed is said with the reason") {
  const Built here;
  here.write("build/libtext.so", "text");
  const struct {
    const char *words, *error;
    int code;
  } rows[] = {{"", "no file is named", 2},
              {"--force build/libtoy.so", "the file comes before the options", 2},
              {"build/libnone.so", "no plugin file 'build/libnone.so'", 3},
              {"build/libtext.so", "not an ELF file", 3},
              {"toy_net", "'toy_net' is not a plugin file", 3},
              {"build/libtoy.so --no-check --data.rows 3", "--no-check skips the check that takes --data.rows", 2}};
  for (const auto& row : rows) {
    const Answer answer = here.host(std::string("install ") + row.words);
    INFO(row.words);
    CHECK(answer.code == row.code);
    CHECK_THAT(answer.error(), ContainsSubstring(row.error));
  }
  CHECK_THAT(here.host("install build/libtoy.so", "HOME=").error(),
             ContainsSubstring("neither HOME nor XDG_DATA_HOME"));
}

TEST_CASE("a plugin is uninstalled by its file, its id or a component's, from the user's folder only") {
  const Built here;
  for (const char* name : {"libtoy.so", "toy_net", ".local/share/levin/plugins/libtoy.so"}) {
    INFO(name);
    REQUIRE(here.host("install build/libtoy.so").code == 0);
    CHECK(here.host(std::string("uninstall ") + name).code == 0);
    CHECK_FALSE(here.has("libtoy.so"));
  }
  CHECK(fs::exists(here.folder() / "build/libtoy.so"));
  here.write(std::string(users) + "/libbroken.so", "broken");
  CHECK(here.host("uninstall libbroken.so").code == 0);
  CHECK_THAT(here.host("uninstall build/libtoy.so").error(), ContainsSubstring("is not in your folder of plugins"));
  fs::copy_file(here.folder() / "build/libtoy.so", here.plugins() / "libtoy.so");
  CHECK_THAT(here.host("uninstall toy_net").error(), ContainsSubstring("outside your plugin folder"));
  CHECK(fs::exists(here.plugins() / "libtoy.so"));
  REQUIRE(here.host("install build/libtoy.so").code == 0);
  CHECK_THAT(here.host("uninstall toy_nte").error(),
             ContainsSubstring("there is no plugin 'toy_nte'") && ContainsSubstring("did you mean 'toy_net'?"));
  CHECK_THAT(here.host("uninstall").error(), ContainsSubstring("nothing is named"));
}
