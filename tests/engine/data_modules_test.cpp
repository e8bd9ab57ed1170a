// The data modules that come with Levin, with its models: they train, and resume bit by bit.

#include "host_process/sandbox.hpp"
#include "plugins/npy_files.hpp"
#include "saved.hpp"

namespace data_modules_test {
namespace {

const std::string quick = " --logger csv --trainer.log_every_n_steps 1 --trainer.num_threads 1 ";

// 60 rows of three classes; some lack a number.
std::string write_table(const Sandbox& sandbox) {
  const std::string path = (sandbox.folder() / "table.csv").string();
  std::ofstream out(path);
  out << "a,b,colour,kind\n";
  for (int i = 0; i < 60; ++i)
    out << i % 7 << ',' << (i % 11 ? std::to_string(0.5 * i) : "NA") << ',' << (i % 2 ? "red" : "blue") << ",k" << i % 3
        << '\n';
  return path;
}

// Two classes of eight images each.
std::string write_pictures(const Sandbox& sandbox) {
  namespace fs = std::filesystem;
  const char* pictures[] = {"rgb.png",           "rgb.jpg",     "grey.jpg",  "cmyk.jpg",
                            "palette_alpha.png", "turned6.jpg", "rgb16.png", "large.jpg"};
  for (const char* kind : {"cat", "dog"}) {
    fs::create_directories(sandbox.folder() / "pictures" / kind);
    for (const char* name : pictures)
      fs::copy_file(fs::path(LEVIN_TEST_IMAGES) / name, sandbox.folder() / "pictures" / kind / name);
  }
  return (sandbox.folder() / "pictures").string();
}

void check_resume(const std::string& words, const Sandbox& sandbox) {
  const Outcome whole = sandbox.host("fit " + words + quick + "--trainer.max_epochs 3");
  const Outcome first = sandbox.host("fit " + words + quick + "--trainer.max_epochs 1");
  const Outcome second = sandbox.host("resume " + sandbox.run(1).string() + " --max_epochs 3");
  REQUIRE(whole.code == 0);
  REQUIRE(first.code == 0);
  REQUIRE(second.code == 0);
  CHECK(difference(last(sandbox, 0), last(sandbox, 1)) == "");
}

// Returns the text of the predictions.csv that the run reports to have written.
std::string predictions(const Sandbox& sandbox, const Outcome& outcome) {
  const std::string name = "predictions.csv";
  const size_t end = outcome.err.find(name), begin = outcome.err.rfind("wrote ", end);
  if (end == std::string::npos || begin == std::string::npos) return "nothing was written";
  return sandbox.read(outcome.err.substr(begin + 6, end + name.size() - begin - 6));
}

}  // namespace

TEST_CASE("a table trains mlp, goes on, and predicts rows of another file") {
  const Sandbox sandbox;
  const std::string table = "--model mlp --model.hidden 8 --data csv --data.file " + write_table(sandbox) +
                            " --data.missing_numbers median --data.batch_size 8 ";
  const std::string words = table + "--data.target kind ";
  check_resume(words, sandbox);
  std::ofstream(sandbox.folder() / "new.csv") << "colour,b,a\nred,1,2\nblue,,0\n";
  const Outcome predicted = sandbox.host("predict " + words + quick + "--data.predict_file " +
                                         (sandbox.folder() / "new.csv").string() + " --ckpt_path " + last(sandbox, 1));
  CHECK(predicted.code == 0);
  const Outcome alone =
      sandbox.host("predict --model mlp --model.hidden 8 --data csv --data.missing_numbers median " + quick +
                   "--data.file " + (sandbox.folder() / "new.csv").string() + " --ckpt_path " + last(sandbox, 1));
  CHECK(alone.code == 0);
  CHECK_THAT(alone.err, ContainsSubstring("new.csv: 2 rows, with the 3 columns that the checkpoint was"));
  CHECK(predictions(sandbox, alone) == predictions(sandbox, predicted));
  CHECK_THAT(predictions(sandbox, alone),
             Catch::Matchers::StartsWith(
                 "sample,prediction,prediction_name,probabilities_0,probabilities_1,probabilities_2\n0,") &&
                 ContainsSubstring(",k"));
  const Outcome number = sandbox.host("fit " + table + quick + "--data.target a --data.task regression --max_epochs 1");
  CHECK(number.code == 0);
}

TEST_CASE("windows of time series train mlp, go on within an epoch with other workers, and predict what follows") {
  const Sandbox sandbox;
  const auto write = [&](const std::string& name, int begin, int end) {
    std::ofstream out(sandbox.folder() / name);
    out << "time,meter,load\n";
    for (int t = begin; t < end; ++t)
      for (const char* meter : {"a", "b"}) out << t << ',' << meter << ',' << t * (t % 5) % 13 << '\n';
    return (sandbox.folder() / name).string();
  };
  const std::string words =
      "--model mlp --model.hidden 8 --data csv --data.target load --data.task regression "
      "--data.time time --data.series meter --data.window 6 --data.horizon 1..3 "
      "--data.val_fraction 0.2 --data.batch_size 8 " +
      quick + "--data.file ";
  const std::string fit = "fit " + words + write("load.csv", 0, 60);
  REQUIRE(sandbox.host(fit + " --data.num_workers 0 --trainer.max_epochs 2").code == 0);
  REQUIRE(sandbox.host(fit + " --data.num_workers 2 --trainer.max_epochs 2 --trainer.max_steps 15").code == 0);
  const Outcome resumed = sandbox.host("resume " + sandbox.run(1).string() + " --max_steps -1 --data.num_workers 1");
  INFO(resumed.err);
  REQUIRE(resumed.code == 0);
  CHECK(trained(last(sandbox, 0)) == trained(last(sandbox, 1)));

  const Outcome predicted =
      sandbox.host("predict " + words + write("new.csv", 100, 107) + " --ckpt_path " + last(sandbox, 1));
  INFO(predicted.err);
  CHECK(predicted.code == 0);
  const std::string table = predictions(sandbox, predicted);
  CHECK_THAT(table, Catch::Matchers::StartsWith("sample,name,prediction_0,prediction_1,prediction_2\n0,"));
  CHECK(std::count(table.begin(), table.end(), '\n') == 1 + 4);
  CHECK_THAT(table, ContainsSubstring("new.csv:14,"));  // the last row of the meter a
}

TEST_CASE("arrays train mlp, go on, and predict new rows without the training files") {
  const Sandbox sandbox;
  std::vector<double> x;
  std::vector<int64_t> y;
  for (int i = 0; i < 60; ++i) x.push_back(i % 7), x.push_back(i % 5), y.push_back(i % 3);
  const auto write = [&](const std::string& name, const std::string& bytes) {
    std::ofstream(sandbox.folder() / name, std::ios::binary) << bytes;
    return (sandbox.folder() / name).string();
  };
  const std::string mlp = "--model mlp --model.hidden 8 --data npy --data.batch_size 8 --data.inputs ";
  check_resume(mlp + write("x.npy", npy_file("<f8", "(60, 2)", x)) + " --data.mean null --data.std null " +
                   "--data.targets " + write("y.npy", npy_file("<i8", "(60,)", y)),
               sandbox);
  const std::string rows = write("new.npy", npy_file<float>("<f4", "(2, 2)", {6, 4, 0, 1}));
  const Outcome alone = sandbox.host("predict " + mlp + rows + quick + " --ckpt_path " + last(sandbox, 1));
  CHECK(alone.code == 0);
  CHECK_THAT(predictions(sandbox, alone),
             Catch::Matchers::StartsWith("sample,prediction,") && ContainsSubstring("\n1,"));
}

TEST_CASE("what is larger than the memory is told with what is large in its options and its data") {
  const Sandbox sandbox;
  const std::string wide = " --data synthetic --data.features 10000000 --data.classes 0 ";
  const Outcome data = sandbox.host("fit --model mlp --data.rows 10000000" + wide + quick);
  INFO(data.err);
  CHECK_THAT(data.error(),
             ContainsSubstring("synthetic.setup: out of memory") &&
                 ContainsSubstring("; what is large here: --data.rows 10000000, --data.features 10000000"));
  const Outcome outcome = sandbox.host(
      "fit --model mlp --model.hidden 1000000 --data.rows 1 --data.val_rows 1 --data.test_rows 0" + wide + quick);
  CHECK(outcome.code == 1);
  CHECK(outcome.error_code() == "E0108");
  CHECK_THAT(outcome.error(),
             ContainsSubstring("mlp.create: out of memory: 37252.9 GiB at once, and this machine has ") &&
                 ContainsSubstring("; what is large here: --model.hidden 1000000, field '") &&
                 ContainsSubstring("' of the data with 10000000 numbers a row") &&
                 !ContainsSubstring("DefaultCPUAllocator"));
}

TEST_CASE("a run whose table has changed goes on with the numbers of the checkpoint, and says so") {
  const Sandbox sandbox;
  const std::string file = write_table(sandbox);
  const std::string words =
      "--model mlp --model.hidden 8 --data csv --data.file " + file + " --data.target kind --data.missing_numbers mean";
  REQUIRE(sandbox.host("fit " + words + quick + "--trainer.max_epochs 1").code == 0);
  std::ofstream(file, std::ios::app) << "100,100,red,k1\n";
  const Outcome more = sandbox.host("resume " + sandbox.run(0).string() + " --max_epochs 2");
  CHECK(more.code == 0);
  CHECK_THAT(more.err,
             ContainsSubstring("table.csv is not what it was when the checkpoint was made (60 rows then, 61 now)"));
  std::ofstream(file, std::ios::app) << "1,1,green,k1\n";
  const Outcome refused = sandbox.host("resume " + sandbox.run(0).string() + " --max_epochs 3");
  CHECK(refused.code != 0);
}

TEST_CASE("a folder of pictures trains resnet with workers and augmentation, goes on, and predicts by name") {
  const Sandbox sandbox;
  const std::string words =
      "--model resnet --model.scheduler none --data image_folder --data.size 16 --data.batch_size 4 --data.crop "
      "resized --data.flip true --data.dir " +
      write_pictures(sandbox);
  check_resume(words, sandbox);
  const Outcome predicted = sandbox.host("predict " + words + quick + "--ckpt_path " + last(sandbox, 1));
  CHECK(predicted.code == 0);
  const std::string table = predictions(sandbox, predicted);
  CHECK_THAT(table,
             Catch::Matchers::StartsWith("sample,name,prediction,prediction_name,probabilities_0,probabilities_1\n"));
  const size_t at = table.find("/pictures/cat/rgb.png,");
  REQUIRE(at != std::string::npos);
  const std::string line = table.substr(at, table.find('\n', at) - at);
  CHECK_THAT(line, Catch::Matchers::StartsWith("/pictures/cat/rgb.png,0,cat,") ||
                       Catch::Matchers::StartsWith("/pictures/cat/rgb.png,1,dog,"));
}

TEST_CASE("a batch that no memory holds is refused before a model is made for its rows") {
  const Sandbox sandbox;
  const std::string folder = write_pictures(sandbox);
  for (int i = 0; i < 700; ++i)
    std::filesystem::create_symlink("rgb.png", folder + "/cat/" + std::to_string(i) + ".png");
  const Outcome outcome = sandbox.host(
      "fit --model mlp --data image_folder --data.size 8192 --data.batch_size 512 --data.dir " + folder + quick);
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.error(), ContainsSubstring("split train: out of memory: a batch of 512 rows of ") &&
                                  ContainsSubstring("give a smaller --data.batch_size"));
}

TEST_CASE("resnet chooses a learning rate by its depth and the batch size, unless the user does") {
  const Sandbox sandbox;
  const std::string words = "fit --model resnet --data image_folder --data.size 16 --fast_dev_run --data.dir " +
                            write_pictures(sandbox) + quick;
  const auto told = [&](const std::string& more) { return sandbox.host(words + more).err; };
  CHECK_THAT(told(""), ContainsSubstring("the learning rate is 0.075, by the network and batches of 32 rows"));
  CHECK_THAT(told("--data.batch_size 128"), ContainsSubstring("the learning rate is 0.3,"));
  CHECK_THAT(told("--model.depth 18 --model.width 4"), ContainsSubstring("the learning rate is 0.02,"));
  CHECK_THAT(told("--model.lr 0.1"), !ContainsSubstring("the learning rate is"));
}

TEST_CASE("a damaged picture ends the run with its name, also in a worker") {
  const Sandbox sandbox;
  const std::string folder = write_pictures(sandbox);
  std::ofstream(folder + "/cat/broken.jpg") << "\xff\xd8\xff\xe0 no more";
  const std::string words =
      "fit --model resnet --data image_folder --data.size 16 --data.dir " + folder + quick + "--max_epochs 1 ";
  const Outcome stopped = sandbox.host(words);
  CHECK(stopped.code != 0);
  CHECK_THAT(stopped.error(),
             ContainsSubstring("cat/broken.jpg: is damaged") && ContainsSubstring("--data.damaged skip"));
  const Outcome skipped = sandbox.host(words + "--data.damaged skip");
  CHECK(skipped.code == 0);
  const auto listed = [&](const std::string& said) {  // contents of the file named in a message
    const std::string before = "1 of 17 images cannot be read; all of them are in ";
    const size_t begin = said.find(before), end = said.find(", the first is", begin);
    REQUIRE(end != std::string::npos);
    return sandbox.read(said.substr(begin + before.size(), end - begin - before.size()));
  };
  CHECK_THAT(listed(skipped.err), Catch::Matchers::StartsWith(folder + "/cat/broken.jpg: is damaged"));
  const Outcome checked = sandbox.host(words + "--data.damaged check");
  CHECK(checked.code == 4);
  CHECK(listed(checked.error()) == listed(skipped.err));  // the file remains, although nothing was trained
}

}  // namespace data_modules_test
