// `host new`: the generated files, and the answers to invalid names and folders. tests/install builds the generated
// files.
#include "core/base/file.hpp"
#include "installation.hpp"

namespace fs = std::filesystem;

namespace {

struct Templates : Installation {
  Templates() {
    fs::create_directories(folder() / "share" / "levin");
    const fs::path share = folder() / "share" / "levin";
    fs::copy(LEVIN_TEST_TEMPLATES, share / "templates", fs::copy_options::recursive);
    fs::copy(LEVIN_TEST_EXAMPLES, share / "examples", fs::copy_options::recursive);
  }
  std::string text(const std::string& name) const { return levin::core::read_file(folder() / name); }
};

}  // namespace

TEST_CASE("a new project has the plugin's names in its files, wherever a name stands") {
  const Templates here;
  const Answer answer = here.host("new callback My-SlowBatches");
  CHECK(answer.code == 0);
  CHECK_THAT(answer.out, ContainsSubstring("My-SlowBatches: a callback in C++") &&
                             ContainsSubstring("cmake --build My-SlowBatches/build") &&
                             ContainsSubstring("host install My-SlowBatches/build/libmy_slow_batches.so"));
  CHECK_THAT(here.text("My-SlowBatches/my_slow_batches.cpp"),
             ContainsSubstring("class MySlowBatchesCallback : public levin::Callback") &&
                 ContainsSubstring("\"com.example.my_slow_batches\""));
  CHECK(fs::exists(here.folder() / "My-SlowBatches/my_slow_batches_test.cpp"));
  CHECK_THAT(here.text("My-SlowBatches/CMakeLists.txt"),
             ContainsSubstring("--model levin.mlp:mlp --data levin.synthetic:synthetic "
                               "--callback com.example.my_slow_batches:my_slow_batches --plugins"));
  CHECK_THAT(here.text("My-SlowBatches/.github/workflows/ci.yml"), ContainsSubstring("ctest --test-dir build"));
  CHECK(here.host("new model my_model --c").code == 0);
  CHECK_THAT(here.text("my_model/my_model.c"), ContainsSubstring("typedef struct MyModel {"));
  CHECK(here.host("new --rust data class").code == 0);  // a keyword of C++; the generated names are not
  CHECK_THAT(here.text("class/class.rs"), ContainsSubstring("struct ClassData {"));
  CHECK_THAT(here.text("class/.github/workflows/ci.yml"), ContainsSubstring("rustc bindgen"));
}

TEST_CASE("every kind and language has a template with no name left open") {
  const Templates here;
  const std::vector<std::string> languages = {"--cpp", "--c", "--rust"};
  for (const std::string kind : {"model", "data", "callback", "logger", "optimizer", "metric", "tasks"})
    for (const std::string& language : languages) {
      if (kind == "metric" && language != "--cpp") continue;
      if (kind == "tasks" && language == "--rust") continue;
      const std::string name = "p_" + kind + language;
      INFO(name);
      REQUIRE(here.host("new " + kind + " " + name + " " + language).code == 0);
      for (const auto& entry : fs::recursive_directory_iterator(here.folder() / name)) {
        if (!entry.is_regular_file()) continue;
        const std::string text = levin::core::read_file(entry.path());
        CHECK_FALSE(std::string(entry.path()).find("my_plugin") != std::string::npos);
        for (const char* left : {"my_plugin", "MyPlugin", "my_run_words", "my_packages", "c_mlp", "CMlp"})
          CHECK(text.find(left) == std::string::npos);
      }
    }
}

TEST_CASE("a bad call of host new is answered with what would do, and writes nothing") {
  const Templates here;
  here.write("taken/file", "mine");
  fs::create_directory(here.folder() / "empty");
  const struct {
    const char *words, *error;
  } rows[] = {
      {"", "no kind is named; kinds: model, data, callback, logger, optimizer, metric, tasks"},
      {"modle x", "there is no kind 'modle'; did you mean 'model'?"},
      {"model", "no name is given; e.g. host new model my_model"},
      {"model a b", "unexpected argument 'b'"},
      {"model a --rsut", "there is no option --rsut; did you mean '--rust'?"},
      {"model a --rust --c", "--rust and --c are two languages; leave one of them out"},
      {"model Toy-Net", "there is a model 'toy_net' already, org.toy:toy_net in "},
      {"model toy_net", "and the name would be ambiguous; use another one, such as my_toy_net"},
      {"metric toy_net", "there is a model 'toy_net' already"},
      {"optimizer sgd",
       "'sgd' is the name of a built-in optimizer, which takes precedence; use another name, such as my_sgd"},
      {"metric x --c", "there is no template of a metric in C, only in C++: leave out --c"},
      {"tasks x --rust", "there is no template of a component of tasks in Rust, only in C++ and C: leave out --rust"},
      {"metric x --rust", "there is no template of a metric in Rust, only in C++: leave out --rust"},
      {"model 3d", "'3d' is not a name: begin with a letter"},
      {"model 'a b'", "'a b' is not a name"},
      {"model ..", "'..' is not a name"},
      {"model Test", "'Test' is a name that CMake or LibTorch keeps for itself; try 'test_model'"},
      {"data torch_cpu", "try 'torch_cpu_data'"},
      {"model taken", "taken' already exists; choose another name, or remove it"},
  };
  for (const auto& row : rows) {
    const Answer answer = here.host(std::string("new ") + row.words);
    INFO(row.words);
    CHECK(answer.code == 2);
    CHECK_THAT(answer.error(), ContainsSubstring(row.error));
  }
  CHECK(here.text("taken/file") == "mine");
  CHECK_FALSE(fs::exists(here.folder() / "test"));
  CHECK(here.host("new data toy_net").code == 0);  // toy_net is a model, so the name is free for data
  CHECK(here.host("new data empty").code == 0);
  CHECK(fs::exists(here.folder() / "empty/empty.cpp"));
  CHECK(here.host("new data deep/er/name").code == 0);
  CHECK(fs::exists(here.folder() / "deep/er/name/name.cpp"));
}

TEST_CASE("host new prints commands for the shell: those of an installation, or of a build that has to be installed") {
  const Templates here;
  const std::string in_build = here.host("new data 'a folder/rows'").out;
  CHECK_THAT(in_build,
             ContainsSubstring("\n  cmake --install ") && ContainsSubstring(" --prefix \"$HOME/.local\"\n") &&
                 ContainsSubstring("  cmake -S 'a folder/rows' -B 'a folder/rows'/build "
                                   "-DCMAKE_PREFIX_PATH=\"$HOME/.local\"\n") &&
                 ContainsSubstring("  \"$HOME/.local/bin\"/host install 'a folder/rows'/build/librows.so\n") &&
                 ContainsSubstring("the first command installs it"));
  fs::create_directories(here.folder() / "lib" / "cmake" / "Levin");
  const std::string installed = here.host("new data rows").out;
  CHECK_THAT(installed, !ContainsSubstring("cmake --install") &&
                            ContainsSubstring("\n  host install rows/build/librows.so") &&
                            ContainsSubstring("-DCMAKE_PREFIX_PATH="));
}
