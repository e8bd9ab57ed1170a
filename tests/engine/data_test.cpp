// Real runs with rows provided in every way that a plugin can, and with errors in them.
#include <algorithm>
#include <set>

#include "host_process/sandbox.hpp"

namespace data_test {
namespace {

using Lines = std::vector<std::string>;

Outcome fit(const Sandbox& sandbox, const std::string& words) {
  return sandbox.host("fit --plugins " LEVIN_TEST_PLUGINS LEVIN_TEST_QUIET
                      " --callback model_checkpoint=false --logger false --model plain " +
                      with_defaults({"--trainer.max_epochs 1 ", "--trainer.seed_everything 3 "}, words));
}

void check_runs(const Sandbox& sandbox, const std::string& words) {
  const Outcome outcome = fit(sandbox, words);
  CHECK(outcome.code == 0);
}

struct Refusal {
  std::string words;
  int code;
  Lines says;
  std::string number{};  // of the error; "" = any
};

void check_refused(const Sandbox& sandbox, const Refusal& refusal) {
  const Outcome outcome = fit(sandbox, refusal.words);
  INFO(refusal.words << "\n" << outcome.err);
  CHECK(outcome.code == refusal.code);
  if (!refusal.number.empty()) CHECK(outcome.error_code() == refusal.number);
  for (const std::string& text : refusal.says) CHECK_THAT(outcome.error(), ContainsSubstring(text));
}

}  // namespace

TEST_CASE("augmentation draws the same numbers whenever the run is repeated, with any number of workers") {
  const Sandbox sandbox;
  const auto drawn = [&](const std::string& words) {
    Lines lines = starting(fit(sandbox, "--data drawn --trainer.max_epochs 2 " + words).trace, "drew");
    std::sort(lines.begin(), lines.end());
    return lines;
  };
  const Lines first = drawn("");
  REQUIRE(first.size() == 8);
  CHECK(std::set<std::string>(first.begin(), first.end()).size() == 8);
  CHECK(drawn("--data.batch_size 1") == first);
  CHECK(drawn("--data.num_workers 1 --data.shuffle false") == first);
  CHECK(drawn("--trainer.seed_everything 4") != first);
}

TEST_CASE("rows come in batches, at once, in several lengths, and as a stream") {
  const Sandbox sandbox;
  const Outcome batches = fit(sandbox, "--data batches --data.batch_size 3");
  CHECK(batches.code == 0);
  CHECK(starting(batches.trace, "batch of 3").size() == 3);  // sanity check, training, validation
  CHECK(starting(batches.trace, "batch of 1").size() == 3);
  const Outcome whole = fit(sandbox, "--data whole --data.batch_size 3 --data.num_workers 2");
  CHECK(whole.code == 0);
  CHECK(starting(whole.trace, "resident") == Lines{"resident 1", "resident 0"});
  check_runs(sandbox, "--data ragged --data.batch_size 2 --data.shuffle false");
  const Outcome stream = fit(sandbox, "--data stream --data.batch_size 4 --trainer.max_epochs 2");
  CHECK(stream.code == 0);
  CHECK(starting(stream.trace, "rewind") == Lines{"rewind 4 in epoch 0", "rewind 4 in epoch 1"});
  CHECK(starting(stream.trace, "next") ==
        Lines{"next 4 of seed 3", "next 1 of seed 3", "next 4 of seed 3", "next 1 of seed 3"});
  check_runs(sandbox, "--data threes");
}

TEST_CASE("a batch that is not what the fields say ends the run before the model sees it") {
  const Sandbox sandbox;
  const std::string place = "libtest_handed_rows.so: batches.batch: split ";
  const Refusal refusals[] = {
      {"--data batches --data.fault rows", 3, {place, "field 'x': wanted float32 [4, 4], got float32 [5, 4]"}},
      {"--data batches --data.fault dtype", 3, {place, "field 'y': wanted float32 [4, 1], got float64 [4, 1]"}},
      {"--data batches --data.fault twice", 3, {place, "field 'y': the host already has its levin_managed"}},
      {"--data batches --data.fault missing", 3, {place, "returned 1 tensors, and a row has 2 fields"}},
      {"--data batches --data.fault device --data.num_workers 2", 3, {place, "field 'x'", "device type 2, number 99"}},
      {"--data batches --data.fault changes",
       3,
       {"libtest_handed_rows.so: batches.describe: split train describes other fields than before: field 0 "
        "was "
        "'x' float32 [5], and is 'x' float32 ["}},
      {"--data batches --data.fault huge",
       3,
       {"batches.describe: out of memory: a row of 'x' float32 [1099511627776]"}},
      {"--data labels --data.bad 2",
       4,
       {"libtest_handed_rows.so: labels.fill: split train, field 'class': row 2 is 7, and there are 3 classes"},
       "E0405"},
      {"--data batches --data.fault deleter", 70, {"libtest_handed_rows.so ran batches.deleter"}},
      {"--data labels --data.subset true",
       3,
       {"libtest_handed_rows.so: labels.dataloader: split train: a subset sampler names row 9, and there are 4"}},
      {"--data labels --data.same true", 3, {"labels.describe: two fields are called 'x'"}},
      {"--data labels --data.rows -3", 3, {"labels.describe: there are -3 rows"}},
      {"--data labels --data.rows 1125899906842624", 3, {"labels.describe", "would need 8388608.0 GiB"}},
      {"--data labels --data.rows 1125899906842624 --data.batch_size 1125899906842624",
       2,
       {"a batch of 1125899906842624 rows of 28 bytes would need", "--data.batch_size"},
       "E0233"},
  };
  for (const Refusal& refusal : refusals) check_refused(sandbox, refusal);
  check_runs(sandbox, "--data labels --data.batch_size 1125899906842624");
}

TEST_CASE("options that a stream cannot honour are refused where the user gave them") {
  const Sandbox sandbox;
  const Refusal refusals[] = {
      {"--data stream --data.shuffle true", 2, {"data.shuffle has no effect", "libtest_handed_rows.so (split train)"}},
      {"--data stream --data.num_workers 2", 2, {"data.num_workers has no effect"}, "E0208"},
      {"--data stream --data.drop_last true", 2, {"data.drop_last has no effect"}},
      {"--data threes --data.batch_size 4", 2, {"data.batch_size has no effect"}},
  };
  for (const Refusal& refusal : refusals) check_refused(sandbox, refusal);
  check_runs(sandbox, "--data stream --data.shuffle false --data.num_workers 0");
}

TEST_CASE("a stream without a batch is told, and where nothing was ever trained it is an error") {
  const Sandbox sandbox;
  const std::string stream = "libtest_handed_rows.so: stream: split ",
                    ended = ": the stream ended before its first batch";
  check_refused(sandbox,
                {"--data stream --data.epochs 0", 4, {stream + "train" + ended + ": there is nothing to train"}});
  const auto warned = [&](const std::string& words, const std::string& text) {
    const Outcome outcome = fit(sandbox, words);
    CHECK(outcome.code == 0);
    const size_t at = outcome.err.find(text);
    REQUIRE(at != std::string::npos);
    CHECK(outcome.err.find(text, at + 1) == std::string::npos);
  };
  warned("--data stream --data.epochs 1 --trainer.max_epochs 4", stream + "train" + ended + " in epoch 1");
  warned("--data stream --data.split val --data.epochs 0 --trainer.num_sanity_val_steps 0 --trainer.max_epochs 3",
         "nothing is validated: " + stream + "val" + ended);
  warned("--data labels --data.rows 3 --data.batch_size 4 --data.drop_last true",
         "nothing is trained: libtest_handed_rows.so: labels: split train has 3 rows, too few for a batch, and "
         "drop_last drops smaller batches");
}

TEST_CASE("a resumed run has no options of its own that a stream refuses") {
  const Sandbox sandbox;
  const std::string words =
      "fit --plugins " LEVIN_TEST_PLUGINS
      " --callback early_stopping=false --logger false --model plain --data threes --trainer.max_epochs 1 "
      "--callback.model_checkpoint.monitor ''";
  const Outcome first = sandbox.host(words);
  REQUIRE(first.code == 0);
  for (int i = 0; i < 2; ++i) {
    const Outcome again =
        sandbox.host("resume " + sandbox.run().string() + " --trainer.max_epochs " + std::to_string(2 + i));
    CHECK(again.code == 0);
  }
}

TEST_CASE("batches by length go on in the middle of an epoch with the rows that are left") {
  const Sandbox sandbox;
  const std::string words =
      "fit --plugins " LEVIN_TEST_PLUGINS
      " --callback early_stopping=false --logger false --model plain --data ragged --data.batch_size 2 "
      "--callback.model_checkpoint.monitor '' --trainer.max_epochs 2 --trainer.seed_everything 3 "
      "--data.bucket_by_length true ";
  const auto rows = [](const Outcome& outcome) {
    CHECK(outcome.code == 0);
    return starting(outcome.trace, "row");
  };
  const Lines whole = rows(sandbox.host(words));
  REQUIRE(whole.size() == 16);
  for (size_t i = 0; i < whole.size(); i += 2) CHECK(whole[i] < whole[i + 1]);
  Lines parts = rows(sandbox.host(words + "--trainer.max_steps 6"));
  CHECK(parts.size() == 12);
  for (const std::string& row : rows(sandbox.host("resume " + sandbox.run(1).string() + " --max_steps -1")))
    parts.push_back(row);
  CHECK(parts == whole);
  check_refused(
      sandbox, {"--data batches --data.bucket_by_length true",
                2,
                {"data.bucket_by_length has no effect on the rows of libtest_handed_rows.so (split train): all of them "
                 "have one shape"},
                "E0208"});
}

TEST_CASE("a callback sees the run's data, and rows of it") {
  const Sandbox sandbox;
  const Outcome outcome = fit(sandbox, "--data batches --callback looker");
  CHECK(outcome.code == 0);
  CHECK(starting(outcome.trace, "split") == Lines{"split 0 loaders 1 rows 4 of x", "split 1 loaders 1 rows 4 of x",
                                                  "split 2 loaders 1 rows 4 of x", "split 3 loaders 0"});
  CHECK(starting(outcome.trace, "tensor") == Lines{"tensor 3 by 4", "tensor 3 by 1"});
  const Outcome ragged = fit(sandbox, "--data ragged --callback looker");
  CHECK(starting(ragged.trace, "tensor") == Lines{"tensor 3 by 4", "tensor 3 by 1", "tensor 3 by 2"});
  const Outcome stream = fit(sandbox, "--data stream --callback looker");
  CHECK(stream.code == 0);
  REQUIRE(starting(stream.trace, "refused").size() == 1);
  CHECK_THAT(starting(stream.trace, "refused")[0], ContainsSubstring("the rows of split train are a stream"));
}

}  // namespace data_test
