// The callback sample_predictions in fits of several kinds of data, precisions and processes.
#include <fstream>
#include <regex>

#include "core/base/text.hpp"
#include "host_process/sandbox.hpp"

namespace sample_predictions_test {
namespace {

const std::string few = "--data.rows 32 --data.val_rows 20 --data.classes 3 --batch_size 8 --accelerator cpu ";
const std::string shown = "--callback sample_predictions --callback.sample_predictions.";
const std::string set_up = "fit --model cnn --data synthetic --data.size 16 " + few + shown + "samples 12 ";

// Returns the captions of the grids in the run's event file, and checks that each has its picture.
std::vector<std::string> captions(const Sandbox& box, int version) {
  std::string bytes;
  for (const auto& entry : std::filesystem::directory_iterator(box.run(version)))
    if (entry.path().filename().string().find("tfevents") != std::string::npos) bytes += box.read(entry.path());
  const std::string sample = "-?[0-9.]+( \\(true: -?[0-9.]+\\))?";
  const std::regex caption(sample + "(; " + sample + ")+");
  std::vector<std::string> out;
  const std::string tag = "sample_predictions/caption";
  for (size_t at = bytes.find(tag); at != std::string::npos; at = bytes.find(tag, at + 1)) {
    std::smatch found;
    const std::string rest = bytes.substr(at, 2000);
    REQUIRE(std::regex_search(rest, found, caption));
    out.push_back(found.str());
  }
  size_t pictures = 0;
  for (size_t at = bytes.find("\x89PNG"); at != std::string::npos; at = bytes.find("\x89PNG", at + 1)) ++pictures;
  CHECK(pictures == out.size());
  return out;
}

long samples_in(const std::string& caption) { return 1 + std::count(caption.begin(), caption.end(), ';'); }

}  // namespace

TEST_CASE("a grid of the first samples of every Nth epoch, also with several processes and in lower precision") {
  for (const std::string words :
       {"", "--precision bf16-mixed ", "--devices 2 --trainer.strategy dp ", "--devices 2 --trainer.strategy ddp "}) {
    const Sandbox box;
    const Outcome outcome = box.host(set_up + "--max_epochs 4 --callback.sample_predictions.every_n_epochs 2 " + words);
    INFO(words << "\n" << outcome.err);
    REQUIRE(outcome.code == 0);
    const auto found = captions(box, 0);
    REQUIRE(found.size() == 2);
    // Rank 0 of two validates ten of the twenty rows.
    for (const std::string& one : found) CHECK(samples_in(one) == (words.find("ddp") == std::string::npos ? 12 : 10));
  }
}

TEST_CASE("a prediction that is not the target has the target beside it") {
  const Sandbox box;
  REQUIRE(box.host("fit --model cnn --data synthetic --data.size 16 " + few + shown +
                   "samples 20 --max_epochs 1 --model.lr 0")
              .code == 0);
  const std::string caption = captions(box, 0).at(0);
  CHECK(samples_in(caption) == 20);
  const std::regex wrong("([0-9]+) \\(true: ([0-9]+)\\)");
  long n = 0;
  for (std::sregex_iterator at(caption.begin(), caption.end(), wrong), end; at != end; ++at, ++n)
    CHECK((*at)[1] != (*at)[2]);
  const auto rows = levin::core::split(levin::core::trim(box.read(box.run(0) / "metrics.csv")), '\n');
  INFO(caption << "\n" << rows.back());
  REQUIRE(levin::core::split(rows.front(), ',').at(2) == "val_acc");
  CHECK(n > 0);
  CHECK(std::stod(levin::core::split(rows.back(), ',').at(2)) == Approx(1 - static_cast<double>(n) / 20));
}

TEST_CASE("a resumed fit shows what an uninterrupted one shows") {
  const Sandbox box;
  REQUIRE(box.host(set_up + "--max_epochs 2").code == 0);
  REQUIRE(box.host(set_up + "--max_epochs 1").code == 0);
  const std::string last = (box.run(1) / "checkpoints" / "last.ckpt").string();
  REQUIRE(box.host(set_up + "--max_epochs 2 --ckpt_path " + last).code == 0);
  const auto whole = captions(box, 0);
  REQUIRE(whole.size() == 2);
  CHECK(captions(box, 1) == std::vector<std::string>{whole[0]});
  CHECK(captions(box, 2) == std::vector<std::string>{whole[1]});
}

TEST_CASE("numbers are shown with their true values, and `host validate` shows a grid, too") {
  const Sandbox box;
  REQUIRE(box.host("fit --model mlp --data synthetic --data.size 16 --data.rows 32 --data.val_rows 8 --data.classes 0 "
                   "--max_epochs 1 --callback sample_predictions --accelerator cpu")
              .code == 0);
  const auto in_fit = captions(box, 0);
  REQUIRE(in_fit.size() == 1);
  CHECK(samples_in(in_fit[0]) == 8);
  CHECK(std::count(in_fit[0].begin(), in_fit[0].end(), '(') == 8);
}

TEST_CASE("what cannot be shown is named once, and the fit goes on") {
  struct Case {
    const char *words, *message;
  };
  for (const Case& c : {Case{"--model mlp --data.features 7", "its inputs are [8, 7]"},
                        Case{"--model cnn --data.size 16 --data.channels 2", "its inputs are [8, 2, 16, 16]"},
                        Case{"--model cnn --data.size 16 --callback.sample_predictions.prediction scores",
                             "'scores' has the shape [8, 3] for 8 rows"},
                        Case{"--model cnn --data.size 16 --callback.sample_predictions.target truth",
                             "the model's steps return no 'truth'"}}) {
    const Sandbox box;
    const Outcome outcome =
        box.host("fit --data synthetic " + few + "--callback sample_predictions --max_epochs 2 " + c.words);
    INFO(outcome.err);
    REQUIRE(outcome.code == 0);
    CHECK_THAT(outcome.err, ContainsSubstring(c.message));
    CHECK(outcome.err.find("no samples are shown") == outcome.err.rfind("no samples are shown"));
    CHECK(captions(box, 0).empty());
  }
}

}  // namespace sample_predictions_test
