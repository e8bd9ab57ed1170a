#include "core/plugin/plugin_index.hpp"

#include <sys/stat.h>

#include "catch.hpp"
#include "tests/plugin/fixture.hpp"

namespace plugin_index_test {
using namespace levin::core;
namespace fs = std::filesystem;

namespace {

struct Dirs {
  TempFolder scratch;
  PluginIndex index{{scratch / "first", scratch / "second"}, false, test_probe(scratch / "cache.json")};

  Dirs() {
    fs::create_directory(scratch / "first");
    fs::create_directory(scratch / "second");
  }
  // Hand-built files can be found by their components once their file has been named.
  fs::path add(const std::string& plugin, const std::string& to) {
    const fs::path file = add_unseen(plugin, to);
    PluginIndex({}, false, test_probe(scratch / "cache.json")).file(file.string());
    return file;
  }
  fs::path add_unseen(const std::string& plugin, const std::string& to) {
    return fs::canonical(copy_plugin(plugin, scratch / to));
  }
  fs::path found(const std::string& x, uint32_t kind = LEVIN_KIND_CALLBACK) { return index.find(x, kind).file->path; }
  std::string refused(const std::string& x, uint32_t kind = LEVIN_KIND_CALLBACK) {
    return refusal([&] { index.find(x, kind); });
  }
};

}  // namespace

TEST_CASE("a file is taken as written if it exists, else by its name in the folders") {
  Dirs dirs;
  const fs::path outside = dirs.add("good", "libgood.so"), inside = dirs.add("good", "second/libgood.so");
  CHECK(dirs.found(outside.string()) == outside);
  CHECK(dirs.found("libgood.so") == inside);
  CHECK(dirs.found("/gone/libgood.so") == inside);
  const fs::path shadow = dirs.add("good", "first/libgood.so");
  CHECK(dirs.found("libgood.so") == shadow);
}

TEST_CASE("a component is found by its id or a former id, in the earlier folder") {
  Dirs dirs;
  dirs.add("good", "second/liba.so");
  const fs::path first = dirs.add("good", "first/libz.so");
  CHECK(dirs.found("thing") == first);
  CHECK(dirs.index.find("former_thing", LEVIN_KIND_CALLBACK).component->id == "thing");
}

TEST_CASE("a component that two files of one folder have must be named by its file") {
  Dirs dirs;
  dirs.add("good", "first/liba.so");
  dirs.add("two_components", "first/libb.so");
  CHECK_THAT(dirs.refused("thing"), ContainsSubstring("liba.so") && ContainsSubstring("libb.so; name the file"));
  CHECK(dirs.index.find("libb.so:thing", LEVIN_KIND_CALLBACK).component->id == "thing");
}

TEST_CASE("an id that two plugins have is refused wherever they lie, and their full names are not") {
  Dirs dirs;
  const fs::path mine = dirs.add("good", "first/liba.so"), other = dirs.add("other_plugin", "second/libb.so");
  CHECK_THAT(dirs.refused("thing"), ContainsSubstring("is in " + mine.string() + " and in " + other.string() +
                                                      "; name one: org.levin.test:thing, org.other:thing"));
  CHECK_THAT(dirs.refused("former_thing"), ContainsSubstring("name one: org.levin.test:thing, org.other:thing"));
  CHECK(dirs.found("org.levin.test:thing") == mine);
  CHECK(dirs.found("org.other:thing") == other);
  CHECK(dirs.found("org.other:former_thing") == other);
  CHECK(dirs.found("libb.so:thing") == other);
  CHECK_THAT(dirs.refused("org.othr:thing"), ContainsSubstring("did you mean 'org.other:thing'?"));
  CHECK_THAT(dirs.refused("org.other:thing", LEVIN_KIND_MODEL), ContainsSubstring("is a component of kind callback"));
}

TEST_CASE("the code of a file without a description does not run before somebody names the file") {
  Dirs dirs;
  const fs::path file = dirs.add_unseen("good", "first/libgood.so");
  dirs.add_unseen("throws_in_initialiser", "first/libthrows.so");
  for (const PluginFile& listed : dirs.index.files()) {
    CHECK_THAT(listed.problem, ContainsSubstring("has no description") && ContainsSubstring("host inspect FILE"));
    CHECK(listed.schema.components.empty());
  }
  CHECK_FALSE(fs::exists(dirs.scratch / "cache.json"));
  CHECK_THAT(dirs.refused("thing"), ContainsSubstring("no callback 'thing'") &&
                                        ContainsSubstring("skipped: libgood.so, libthrows.so") &&
                                        ContainsSubstring("name it once"));
  CHECK(dirs.found("libgood.so") == file);
  PluginIndex later({dirs.scratch / "first"}, false, test_probe(dirs.scratch / "cache.json"));
  CHECK(later.find("thing", LEVIN_KIND_CALLBACK).file->path == file);
}

TEST_CASE("a file with several components of a kind needs the component's name") {
  Dirs dirs;
  dirs.add("two_components", "first/libb.so");
  CHECK_THAT(dirs.refused("libb.so"), ContainsSubstring("name one: libb.so:thing, libb.so:other"));
  CHECK(dirs.index.find("libb.so:other", LEVIN_KIND_CALLBACK).component->id == "other");
  CHECK_THAT(dirs.refused("libb.so:third"),
             ContainsSubstring("has no callback 'third'; it has: callback thing, callback other"));
  CHECK_THAT(dirs.refused("libb.so", LEVIN_KIND_MODEL), ContainsSubstring("has no model; it has: callback thing"));
}

TEST_CASE("an unknown name lists where it was sought and what is near") {
  Dirs dirs;
  dirs.add("good", "first/libgood.so");
  const std::string file = dirs.refused("libgod.so"), id = dirs.refused("thign");
  CHECK_THAT(file, ContainsSubstring((dirs.scratch / "first/libgod.so").string()) &&
                       ContainsSubstring((dirs.scratch / "second/libgod.so").string()) &&
                       ContainsSubstring("did you mean 'libgood.so'"));
  CHECK_THAT(dirs.refused("./libgod.so", LEVIN_KIND_MODEL), !ContainsSubstring("did you mean"));
  CHECK_THAT(id, ContainsSubstring("no callback 'thign'") && ContainsSubstring("did you mean 'thing'"));
  CHECK_THAT(dirs.refused("thing", LEVIN_KIND_MODEL), ContainsSubstring("'thing' is a component of kind callback"));
}

TEST_CASE("a file that cannot be used says why, named or listed") {
  Dirs dirs;
  dirs.add("newer_minor", "first/libnew.so");
  dirs.add("throws_in_initialiser", "first/libthrows.so");
  write_bytes(dirs.scratch / "first/libtext.so", "hello");
  REQUIRE(mkfifo((dirs.scratch / "first/libfifo.so").c_str(), 0600) == 0);
  fs::create_directory(dirs.scratch / "first/libfolder.so");
  const auto& files = dirs.index.files();
  REQUIRE(files.size() == 5);
  CHECK_THAT(files[0].problem, ContainsSubstring("a FIFO"));
  CHECK_THAT(files[1].problem, ContainsSubstring("a folder"));
  CHECK_THAT(files[2].problem, ContainsSubstring("0.99"));
  CHECK_THAT(files[3].problem, ContainsSubstring("not an ELF file"));
  CHECK_THAT(files[4].problem, ContainsSubstring("initialiser is upset"));
  CHECK_THAT(dirs.refused("libnew.so"), ContainsSubstring("0.99"));
  CHECK_THAT(dirs.refused("new"), ContainsSubstring("no callback 'new'") && ContainsSubstring("0.99"));
  CHECK(dirs.index.file("libnew.so").problem == files[2].problem);
}

TEST_CASE("a link in a folder counts as a file of that folder, once") {
  Dirs dirs;
  const fs::path outside = dirs.add("good", "libgood.so");
  fs::create_symlink(outside, dirs.scratch / "first/libgood.so");
  fs::create_symlink(outside, dirs.scratch / "second/libgood.so");
  fs::create_symlink("libloop.so", dirs.scratch / "second/libloop.so");
  REQUIRE(dirs.index.files().size() == 2);
  CHECK(dirs.found("thing") == fs::canonical(dirs.scratch / "first") / "libgood.so");
  CHECK_THAT(dirs.index.files()[1].problem, ContainsSubstring("leads to itself"));
}

TEST_CASE("trust admits a file that others may write") {
  const TempFolder scratch;
  const fs::path file = copy_plugin("good", scratch / "libgood.so");
  REQUIRE(chmod(file.c_str(), 0666) == 0);
  PluginIndex careful({scratch.path()}, false, test_probe()), trusting({scratch.path()}, true, test_probe());
  CHECK_THAT(refusal([&] { careful.find("libgood.so", LEVIN_KIND_CALLBACK); }), ContainsSubstring("--trust"));
  CHECK(trusting.find("libgood.so", LEVIN_KIND_CALLBACK).component->id == "thing");
}

TEST_CASE("what was found stays valid when more is found") {
  Dirs dirs;
  dirs.add("good", "first/libgood.so");
  const auto first = dirs.index.find("libgood.so", LEVIN_KIND_CALLBACK);
  for (int i = 0; i < 20; ++i) dirs.found(dirs.add("good", "lib" + std::to_string(i) + ".so").string());
  CHECK(first.component->id == "thing");
  CHECK(dirs.index.find("libgood.so", LEVIN_KIND_CALLBACK).file == first.file);
}

}  // namespace plugin_index_test
