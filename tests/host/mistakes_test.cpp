// What a newcomer gets wrong: each mistake ends with one line and its exit code.
#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "catch.hpp"
#include "installation.hpp"

namespace {

struct Row {
  std::string words;
  int code;
  const char* message;
};

void check(const Installation& installation, const std::vector<Row>& rows) {
  for (const auto& row : rows) {
    INFO("host " << row.words);
    const Answer answer = installation.host(row.words);
    CHECK(answer.code == row.code);
    CHECK_THAT(answer.error(), ContainsSubstring("host: error: ") && ContainsSubstring(row.message));
  }
}
}  // namespace

TEST_CASE("no word at all gets a short help") {
  const Installation installation;
  const Answer answer = installation.host("");
  CHECK(answer.code == 2);
  CHECK_THAT(answer.err, ContainsSubstring("usage: host") && ContainsSubstring("host --help"));
}

TEST_CASE("wrong commands are answered with the right one") {
  const Installation installation;
  check(installation, {{"ftt", 2, "there is no command 'ftt'; did you mean 'fit'?"},
                       {"frobnicate", 2, "there is no command 'frobnicate'; known: fit, tune, validate"},
                       {"libtoy.so", 2, "did you mean --model libtoy.so?"},
                       {"resume", 2, "no run folder is named"},
                       {"resume /no/such", 2, "there is no run folder '/no/such'"},
                       {"inspect", 2, "no file is named"},
                       {"inspect nothing.so", 3, "no plugin file 'nothing.so'; tried"},
                       {"check", 2, "no file is named"},
                       {"help xyzzy", 2, "nothing is called 'xyzzy'"}});
}

TEST_CASE("wrong components are answered with those that are found") {
  const Installation installation;
  check(installation, {{"--max_epochs 3", 2, "no --model is named; found: toy_net"},
                       {"--model", 2, "--model: a value is missing"},
                       {"--model toy_nett --data toy_rows", 3, "no model 'toy_nett'"},
                       {"--model toy_nett --data toy_rows", 3, "did you mean 'toy_net'?"},
                       {"--model toy_rows --data toy_rows", 3, "'toy_rows' is a component of kind data"},
                       {"--model ./libtoyy.so --data toy_rows", 3, "no plugin file './libtoyy.so'"},
                       {"--model libtoy.so libtoy.so", 2, "'libtoy.so' is not an option; did you mean"},
                       {"--model toy_net --data toy_rows", 2, "--data.rows is required by toy_rows"},
                       {good + "--callback toy_hlt", 3, "did you mean 'toy_halt'?"},
                       {good + "--callback libtoy.so", 3, "has several components of kind callback; name one"},
                       {good + "--plugins /no/such", 2, "--plugins /no/such: there is no folder"}});
}

TEST_CASE("wrong options are answered with the nearest right one") {
  const Installation installation;
  check(installation,
        {{good + "--max_epoch 3", 2, "there is no option --max_epoch; did you mean --max_epochs?"},
         {good + "--maxepochs=3", 2, "there is no option --maxepochs; did you mean --max_epochs?"},
         {good + "--trainer.max_epoch 3", 2, "the trainer has no option 'max_epoch'; did you mean 'max_epochs'?"},
         {good + "--model.depht 18", 2, "toy_net has no option 'depht'; did you mean 'depth'?"},
         {good + "--modle.depth 18", 2, "there is no option --modle.depth; did you mean --model.depth?"},
         {good + "--depth 17", 2, "--depth: '17' is not valid; expected one of: 18, 34"},
         {good + "--model.lr fast", 2, "--model.lr: 'fast' is not valid; expected float in [0, 10]"},
         {good + "--lr 0.1", 2, "--lr is ambiguous: say --model.lr or --data.lr"},
         {good + "--max_epochs", 2, "--max_epochs: a value is missing"},
         {good + "--max_epochs x", 2, "--max_epochs: 'x' is not valid; expected int >= -1 or null"},
         {good + "--max", 2, "there is no option --max"},
         {good + "--trust=1", 2, "--trust takes no value"},
         {good + "--callback.best.monitor x", 2, "there is no callback named 'best'"},
         {good + "--callback a=toy_halt --callback b=toy_halt --patience 1", 2,
          "ambiguous: say --callback.a.patience or --callback.b.patience"},
         {good + "--gpus 2", 2, "trainer.devices=2 is refused"},
         {good + "--devices 2", 2, "trainer.devices=2 is refused: this version trains on one device"},
         {good + "--sync_batchnorm", 2, "--sync_batchnorm: true is refused"},
         {good + "--ckpt_path gone.ckpt", 5, "there is no checkpoint"},
         {good + "--data.batchsize 8", 2, "did you mean 'batch_size'?"}});
}

TEST_CASE("wrong configuration files are answered with file and line") {
  const Installation installation;
  installation.write("typo.json", "{\n  // a comment\n  \"trainer\": {\"max_epoch\": 3}\n}\n");
  installation.write("broken.json", "{\"trainer\": {\"max_epochs\": }}");
  installation.write("twice.json", "{\"trainer\": {},\n \"trainer\": {}}");
  installation.write("group.json", "{\"trianer\": {}}");
  REQUIRE(mkfifo((installation.folder() / "fifo.json").c_str(), 0600) == 0);
  check(installation,
        {{good + "--config typo.json", 2, "typo.json:3: trainer.max_epoch: the trainer has no option"},
         {good + "--config broken.json", 2, "broken.json:1:28: syntax error"},
         {good + "--config twice.json", 2, "twice.json:2:11: 'trainer' is given twice"},
         {good + "--config group.json", 2, "group.json:1: no such key 'trianer'; did you mean 'trainer'?"},
         {good + "--config none.json", 2, "cannot read 'none.json': No such file"},
         {good + "--config fifo.json", 2, "not a regular file"},
         {good + "--config .", 2, "not a regular file"}});
}

TEST_CASE("an incomplete installation says what is missing") {
  const Installation installation;
  std::filesystem::remove(installation.folder() / "libexec" / "levin" / "host-engine");
  check(installation, {{good, 70, "cannot start the engine"}});
}

TEST_CASE("an error is one line") {
  const Installation installation;
  const Answer answer = installation.host(good + "--nonsense '\n\n'");
  CHECK(answer.code == 2);
  CHECK(std::count(answer.err.begin(), answer.err.end(), '\n') == 1);
}
