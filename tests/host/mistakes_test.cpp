// Mistakes of new users: each ends with one line and its exit code.
#include <sys/stat.h>

#include <algorithm>

#include "core/base/text.hpp"
#include "installation.hpp"

namespace {

struct Documented {
  std::string words;                // words after "host"
  std::vector<std::string> answer;  // the parts between "..."
};

// The rows of the table in docs/errors.md with the columns "typed" and "answer".
std::vector<Documented> documented_mistakes() {
  std::ifstream file(LEVIN_TEST_DOCS "/errors.md");
  std::vector<Documented> out;
  bool within = false;
  for (std::string line; std::getline(file, line);) {
    const auto cells = levin::core::split(line, '|');
    const bool row = cells.size() == 4;
    if (row && cells[1] == " typed ") within = true;
    if (!row) within = false;
    if (!within || cells[1].find('`') == std::string::npos) continue;
    std::string words = levin::core::trim(cells[1]), answer = levin::core::trim(cells[2]);
    words = words.substr(1, words.size() - 2);
    words = levin::core::starts_with(words, "host ") ? words.substr(5) : "--model resnet --data mnist " + words;
    Documented mistake{words, {}};
    for (size_t dots; (dots = answer.find("...")) != std::string::npos; answer = answer.substr(dots + 3))
      mistake.answer.push_back(answer.substr(0, dots));
    mistake.answer.push_back(answer);
    out.push_back(mistake);
  }
  return out;
}

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
    CHECK_THAT(answer.error(), ContainsSubstring("host: error[E") && ContainsSubstring(row.message));
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
                       {"frobnicate", 2, "there is no command 'frobnicate'; known: fit, validate, test, tune"},
                       {"train", 2, "there is no command 'train'; did you mean 'fit'?"},
                       {"trainn", 2, "there is no command 'trainn'; did you mean 'fit'?"},
                       {"trian", 2, "there is no command 'trian'; did you mean 'fit' or 'trial'?"},
                       {"eval", 2, "there is no command 'eval'; did you mean 'validate' or 'test'?"},
                       {"version", 2, "there is no command 'version'; did you mean --version?"},
                       {"libtoy.so", 2, "did you mean --model libtoy.so?"},
                       {"toy_net toy_rows", 2, "there is no command 'toy_net'; did you mean --model toy_net?"},
                       {"toy_rows", 2, "did you mean --data toy_rows?"},
                       {"fit toy_net toy_rows", 2, "'toy_net' is not an option; did you mean --model toy_net?"},
                       {good + "fit", 2, "'fit' is not an option; the command comes first: host fit ..."},
                       {good + "toy_halt", 2, "'toy_halt' is not an option; did you mean --callback toy_halt?"},
                       {good + "xyzzy", 2, "'xyzzy' is not an option; options begin with --"},
                       {"resume", 2, "no run folder is named; host runs lists the runs"},
                       {"resume /no/such", 2, "there is no run folder '/no/such'"},
                       {"inspect", 2, "no file is named"},
                       {"inspect nothing.so", 3, "no plugin file 'nothing.so'; tried"},
                       {"check", 2, "no file is named"},
                       {"help gpt", 2, "nothing is called 'gpt'; 'gpt' is in Levin's plugin networks, which is not in"},
                       {"help xyzzy", 2, "nothing is called 'xyzzy'; host plugins lists the components"},
                       {"help accumulate", 2, "did you mean 'accumulate_exact' or 'accumulate_grad_batches'?"}});
}

TEST_CASE("words that a command has no use for are refused by name") {
  const Installation installation;
  check(installation,
        {{"plugins --foo", 2, "host plugins: there is no option --foo here; it takes --trust, --json, --plugins"},
         {"plugins foo", 2, "host plugins: unexpected argument 'foo'; see host help plugins"},
         {"plugins --plugin x", 2, "there is no option --plugin here; did you mean --plugins?"},
         {"plugins --plugins", 2, "--plugins: a value is missing"},
         {"doctor --model toy_net", 2, "host doctor: there is no option --model here"},
         {"doctor now", 2, "host doctor: unexpected argument 'now'"},
         {"inspect libtoy.so libtoy.so", 2, "host inspect: unexpected argument 'libtoy.so'"},
         {"inspect --trust", 2, "no file is named"},
         {"check libtoy.so now", 2, "host check: unexpected argument 'now'"},
         {"help toy_net xyzzy", 2, "host help: nothing is called 'xyzzy'"},
         {"help --max_epochs 3", 2,
          "there is no option --max_epochs here; an option is named without dashes: host help max_epochs"},
         {"help max_epoch", 2, "nothing is called 'max_epoch'; did you mean 'max_epochs'?"},
         {"--version now", 2, "host --version: unexpected argument 'now'"}});
  CHECK(installation.host("inspect --trust libtoy.so --plugins .").code == 0);
  CHECK(installation.host("doctor --plugins . --trust").code == 0);
}

TEST_CASE("a secret is not written into the script of a job, nor what is gone when it starts") {
  const Installation installation;
  installation.write("ok.json", "{}");
  check(installation, {{"submit --dry_run fit " + good + "--token hunter2", 2,
                        "--token is a secret, and the script of the job is kept; give it in a file"},
                       {"submit --dry_run fit " + good + "--config /dev/stdin <ok.json", 2,
                        "--config /dev/stdin is gone when the job starts"}});
}

TEST_CASE("wrong components are answered with those that are found") {
  const Installation installation;
  check(installation, {{"--max_epochs 3", 2, "no --model is named; found: toy_net"},
                       {"--model", 2, "--model: a value is missing"},
                       {"--plugins --model toy_net", 2, "--plugins: a value is missing"},
                       {good + "--max_epochs --lr_find", 2, "--max_epochs: a value is missing"},
                       {"--model toy_nett --data toy_rows", 3, "no model 'toy_nett'"},
                       {"--model toy_nett --data toy_rows", 3, "did you mean 'toy_net'?"},
                       {"--model toy_net --data audio", 3, "build it with scripts/build --plugins audio_data"},
                       {"--model toy_rows --data toy_rows", 3, "'toy_rows' is a component of kind data"},
                       {"--model ./libtoyy.so --data toy_rows", 3, "no plugin file './libtoyy.so'"},
                       {"--model libtoy.so libtoy.so", 2, "'libtoy.so' is not an option; did you mean"},
                       {"--model toy_net --data toy_rows", 2, "--data.rows is required by toy_rows"},
                       {good + "--callback toy_hlt", 3, "did you mean 'toy_halt'?"},
                       {good + "--callback libtoy.so", 3, "has several components of kind callback; name one"},
                       {good + "--plugins /no/such", 2, "--plugins /no/such: there is no folder"}});
}

TEST_CASE("a mistake in the words is told before the model that is missing for it") {
  const Installation installation;
  check(
      installation,
      {{"--Model toy_net", 2, "there is no option --Model; did you mean --model?"},
       {"fit --models toy_net --data toy_rows", 2, "there is no option --models; did you mean --model?"},
       {"--net toy_net", 2, "there is no option --net; did you mean --model?"},
       {"--max_epoch 3", 2, "there is no option --max_epoch; did you mean --max_epochs?"},
       {"fit --data toy_rows toy_net", 2, "'toy_net' is not an option; did you mean --model toy_net?"},
       {"-v", 2, "'-v' is not an option; did you mean --verbose or --version?"},
       {"fit -model toy_net", 2, "'-model' is not an option; did you mean --model?"},
       {"-z", 2, "'-z' is not an option; options begin with --"},
       {"--frobnicate 3", 2, "no --model is named; found: toy_net; without a model there is no option --frobnicate"}});
}

TEST_CASE("words that cannot be options are answered with their form") {
  const Installation installation;
  check(installation, {{good + "---lr 3", 2, "'---lr': an option begins with two dashes; did you mean --lr?"},
                       {good + "--=3", 2, "'--=3' names no option; write --NAME VALUE or --NAME=VALUE"},
                       {good + "--", 2, "'--' alone is not an option"},
                       {good + "--model. 3", 2, "--model. has a part without a name; use --model.OPTION VALUE"},
                       {good + "--trainer..x 3", 2, "--trainer..x has a part without a name"},
                       {good + "--.lr 3", 2, "use --GROUP.OPTION VALUE"},
                       {"plugins --", 2, "'--' alone is not an option"},
                       {good + "--depth \"$(printf '\\377')\"", 2, "argument '?' is not UTF-8"},
                       {good + "--verbose --quiet", 2, "--verbose and --quiet contradict each other"},
                       {good + "--model toy_net", 2, "--model is given twice, toy_net and toy_net: a run has one"},
                       {good + "--data toy_rows", 2, "--data is given twice"}});
}

TEST_CASE("an option with two values is refused with both") {
  const Installation installation;
  check(
      installation,
      {{good + "--max_epochs 3 --max_epochs 4", 2, "--max_epochs is given twice, '3' and '4': leave one of them out"},
       {good + "--depth 18 --model.depth 34", 2,
        "--depth ('18') and --model.depth ('34') are one option, model.depth: leave one of them out"},
       {good + "--max_nb_epochs 3 --max_epochs 4", 2, "--max_nb_epochs ('3') and --max_epochs ('4') are one option"},
       {good + "--data.rows 3", 2, "--data.rows is given twice, '9' and '3'"},
       {good + "--fast_dev_run --fast_dev_run 2", 2, "--fast_dev_run is given twice, 'true' and '2'"},
       {good + "--ckpt_path best --ckpt_path last", 2, "--ckpt_path is given twice, 'best' and 'last'"},
       {good + "--token abc --model.token def", 2, "--token (a secret) and --model.token (a secret) are one option"}});
}

TEST_CASE("a name in the place of a file or component is answered with what it names") {
  const Installation installation;
  const std::string file = (installation.plugins() / "libtoy.so").string();
  for (const char* command : {"check", "inspect", "install"})
    for (const char* name : {"toy_net", "org.toy", "org.toy:toy_net"}) {
      const Answer answer = installation.host(std::string(command) + " " + name);
      CHECK(answer.code == 3);
      CHECK_THAT(answer.error(), ContainsSubstring(" is not a plugin file: it is in the file " + file + "; name that"));
    }
  check(installation,
        {{"--model org.toy --data toy_rows", 3, "'org.toy' is a plugin; did you mean its org.toy:toy_net?"},
         {"check nothing", 3, "'nothing' is not a plugin file: the name of a file contains a '/' or ends in .so"}});
}

TEST_CASE("names that other tools have are answered with those of this one") {
  const Installation installation;
  check(installation,
        {{good + "--bs 3", 2, "there is no option --bs; did you mean --batch_size?"},
         {good + "--learning_rate 3", 2, "there is no option --learning_rate; did you mean --lr?"},
         {good + "--learning_rat 3", 2, "there is no option --learning_rat; did you mean --lr?"},
         {good + "--epochs 3", 2, "there is no option --epochs; did you mean --max_epochs?"},
         {good + "--no-cuda", 2, "there is no option --no-cuda; did you mean --accelerator?"},
         {good + "--output-dir x", 2, "there is no option --output-dir; did you mean --default_root_dir?"},
         {good + "--model.learning_rate 3", 2, "toy_net has no option 'learning_rate'; did you mean 'lr'?"},
         {good + "--optimizer adam", 2,
          "there is no option --optimizer; host --help lists all options; the model has --depth"},
         {good + "--trainer.epochs 3", 2, "the trainer has no option 'epochs'; did you mean 'max_epochs'?"}});
}

TEST_CASE("options of what is not there are answered with the way to it") {
  const Installation installation;
  installation.write("good.csv", "label,x\n1,2\n");
  check(installation,
        {{good + "--callback.toy_halt.patience 3", 2, "no callback named 'toy_halt'; --callback toy_halt adds it"},
         {good + "--trainer.max_epochs.foo 3", 2,
          "trainer.max_epochs is an option itself and has none; use --trainer.max_epochs VALUE"},
         {good + "--callback toy_save --callback nope=false", 2,
          "there is nothing to switch off, no callback 'nope' (known: toy_save"},
         {"--model toy_net --data good.csv", 2,
          "'good.csv' is a file or folder that is no plugin, and --data names a plugin"},
         {"--model toy_net --data ./good.csv", 2, "what it reads is another option"},
         {"--model good.csv", 2, "such as --ckpt_path good.csv, --model X --model.init_from good.csv"}});
}

TEST_CASE("values that no run can have are refused") {
  const Installation installation;
  check(installation, {{good + "--log_version ..", 2, "--log_version: '..' is not valid"},
                       {good + "--log_version .", 2, "--log_version: '.' is not valid"},
                       {good + "--log_name ''", 2, "--log_name: '' is not valid; expected the name of a folder"},
                       {good + "--log_name ../../x", 2, "--log_name: '../../x' is not valid"},
                       {good + "--log_name /tmp", 2, "--log_name: '/tmp' is not valid"},
                       {good + "--run_name ''", 2, "--run_name: '' is not valid; expected a name of one line"},
                       {good + "--run_name \"$(printf 'a\\nb')\"", 2, "--run_name: 'a b' is not valid"},
                       {good + "--min_epochs 5 --max_epochs 2", 2,
                        "trainer.min_epochs=5 is more than trainer.max_epochs=2, which ends the fit"},
                       {good + "--min_steps 5 --max_steps 2", 2, "trainer.min_steps=5 is more than"},
                       {good + "--model.lr nan", 2, "--model.lr: 'nan' is not valid; expected float in [0, 10]"},
                       {good + "--model.lr -1", 2, "--model.lr: '-1' is not valid"},
                       {good + "--model.lr inf", 2, "--model.lr: 'inf' is not valid"},
                       {good + "--gradient_clip_val nan", 2, "--gradient_clip_val: 'nan' is not valid"},
                       {good + "--max_epochs nan", 2, "--max_epochs: 'nan' is not valid"},
                       {good + "--limit_train_batches nan", 2, "--limit_train_batches: 'nan' is not valid"},
                       {good + "--track_grad_norm nan", 2, "--track_grad_norm: 'nan' is not valid"}});
  CHECK(installation.host(good + "--log_name nets/wide").code == 0);
  const Answer seed = installation.host(good, "LEVIN_GLOBAL_SEED=abc");
  CHECK(seed.code == 2);
  CHECK_THAT(seed.error(), ContainsSubstring("LEVIN_GLOBAL_SEED, is 'abc'; it has to be a number"));
  for (const char* threads : {"abc", "0", "-1", "2,", "2x"}) {
    const Answer answer = installation.host(good, std::string("OMP_NUM_THREADS=") + threads);
    CHECK(answer.code == 2);
    CHECK_THAT(answer.error(),
               ContainsSubstring(std::string("OMP_NUM_THREADS is '") + threads + "'; set it to a number of threads"));
  }
  for (const char* threads : {"", "3", "4,2"})
    CHECK(installation.host(good, std::string("OMP_NUM_THREADS=") + threads).code == 0);
}

TEST_CASE("a folder of LEVIN_PLUGIN_PATH that is not there is told of") {
  const Installation installation;
  const Answer answer = installation.host(good, "LEVIN_PLUGIN_PATH=/no/such:" + installation.folder().string());
  CHECK(answer.code == 0);
  CHECK_THAT(answer.err, ContainsSubstring("host: warning: LEVIN_PLUGIN_PATH: there is no folder /no/such\n"));
}

TEST_CASE("wrong options are answered with the nearest right one") {
  const Installation installation;
  check(installation,
        {{good + "--max_epoch 3", 2, "there is no option --max_epoch; did you mean --max_epochs?"},
         {good + "--maxepochs=3", 2, "there is no option --maxepochs; did you mean --max_epochs?"},
         {good + "--trainer.max_epoch 3", 2, "the trainer has no option 'max_epoch'; did you mean 'max_epochs'?"},
         {good + "--data.missing x", 2, "toy_rows has no option 'missing'; known: rows, lr, batch_size"},
         {good + "--trainer.xyzzy 3", 2, "the trainer has no option 'xyzzy'; host help trainer lists all options"},
         {good + "--model.depht 18", 2, "toy_net has no option 'depht'; did you mean 'depth'?"},
         {good + "--modle.depth 18", 2, "there is no option --modle.depth; did you mean --model.depth?"},
         {good + "--depth 17", 2, "--depth: '17' is not valid; expected one of: 18, 34"},
         {good + "--model.lr fast", 2, "--model.lr: 'fast' is not valid; expected float in [0, 10]"},
         {good + "--lr 0.1", 2, "--lr is ambiguous: use --model.lr or --data.lr"},
         {good + "--max_epochs", 2, "--max_epochs: a value is missing"},
         {good + "--max_epochs x", 2, "--max_epochs: 'x' is not valid; expected int >= -1 or null"},
         {good + "--max", 2, "there is no option --max"},
         {good + "--trainer 3", 2, "--trainer alone is not an option: use --trainer.OPTION; see host help trainer"},
         {good + "--trust=1", 2, "--trust takes no value"},
         {good + "--callback.best.monitor x", 2, "there is no callback named 'best'"},
         {good + "--callback a=toy_halt --callback b=toy_halt --patience 1", 2,
          "ambiguous: use --callback.a.patience or --callback.b.patience"},
         {good + "--callback toy_halt --callback toy_halt", 2,
          "--callback toy_halt: two callbacks are named 'toy_halt'; name them: --callback a=toy_halt --callback"},
         {good + "--resume x.ckpt", 2, "there is no option --resume; did you mean --ckpt_path?"},
         {good + "--max_nb_epoch 3", 2, "there is no option --max_nb_epoch; did you mean --trainer.max_epochs?"},
         {good + "--amp_levle O2", 2, "there is no option --amp_levle; did you mean --amp_level?"},
         {good + "--precision bf17", 2, "bf16-true, 32, 64, 16, bf16 or null"},
         {good + "--precision transformer-engine", 2,
          "trainer.precision=transformer-engine is refused: Transformer Engine is not supported"},
         {good + "--strategy fsdp", 2, "trainer.strategy=fsdp is refused: "},
         {good + "--strategy dpp", 2, "'dpp' is not valid; expected one of: auto, single_device"},
         {good + "--num_nodes 2", 2, "trainer.num_nodes=2: the machines are not named"},
         {good + "--hosts a,a", 2, "--hosts a,a: host 'a' is named twice"},
         {good + "--hosts a --hostfile b", 2, "--hosts and --hostfile both name the machines"},
         {good + "--experiment x", 2, "experiment=x is an old option: a run's results go to its loggers"},
         {good + "--cluster slurm", 2, "cluster=slurm is an old option: processes are started by --trainer.devices"},
         {good + "--accelerator cpu --devices 0,1", 2, "names GPUs, but trainer.accelerator is cpu; give the number"},
         {good + "--strategy dp --devices 2 --hosts a:2,b:2", 2, "trainer.strategy=dp uses one process, but"},
         {good + "--strategy model_parallel --devices 3 --devices_per_process 2", 2,
          "=3 cannot be divided among processes"},
         {good + "--ckpt_path gone.ckpt", 5, "there is no checkpoint"},
         {good + "--data.batchsize 8", 2, "did you mean 'batch_size'?"}});
}

TEST_CASE("the documented mistakes get the documented answers") {
  const Installation installation;
  installation.add_plugin("documented", "libresnet.so");
  for (const char* name : {"documented_stopping", "documented_checkpoint"})
    installation.add_plugin(name, std::string("lib") + name + ".so");
  const auto mistakes = documented_mistakes();
  CHECK(mistakes.size() >= 10);
  for (const auto& mistake : mistakes) {
    INFO("host " << mistake.words);
    const Answer answer = installation.host(mistake.words);
    CHECK(answer.code != 0);
    for (const auto& part : mistake.answer) CHECK_THAT(answer.error(), ContainsSubstring(part));
  }
}

TEST_CASE("wrong configuration files are answered with file and line") {
  const Installation installation;
  installation.write("typo.json", "{\n  // a comment\n  \"trainer\": {\"max_epoch\": 3}\n}\n");
  installation.write("broken.json", "{\"trainer\": {\"max_epochs\": }}");
  installation.write("twice.json", "{\"trainer\": {},\n \"trainer\": {}}");
  installation.write("group.json", "{\"trianer\": {}}");
  installation.write("top.json", "{\"max_epochs\": 1}");
  installation.write("both.json", "{\"trainer\": {\"max_epochs\": 1},\n \"trainer.max_epochs\": 2}");
  installation.write("good.csv", "label,x\n1,2\n");
  installation.write("empty.json", "\n");
  installation.write("mark.json", "\xEF\xBB\xBF{\"trainer\": {\"max_epoch\": 3}}");
  installation.write("run.yaml", "trainer:\n  max_epoch: 3\n");
  installation.write("run.txt", "trainer:\n");
  installation.write("bad.toml", "model = \"toy_net\"\nmodel =\n");
  installation.write("open.json", "{\"trainer\": {\n\"max_epochs\": 3");
  installation.write("options.json", "{\n\"model\": {\"depth\": 18}}");
  REQUIRE(mkfifo((installation.folder() / "fifo.json").c_str(), 0600) == 0);
  check(installation,
        {{good + "--config typo.json", 2, "typo.json:3:15: trainer.max_epoch: the trainer has no option"},
         {good + "--config mark.json", 2, "mark.json:1:14: trainer.max_epoch: the trainer has no option"},
         {good + "--config broken.json", 2, "broken.json:1:28: "},
         {good + "--config twice.json", 2, "twice.json:2:2: 'trainer' is given twice"},
         {good + "--config group.json", 2, "group.json:1:2: no such key 'trianer'; did you mean 'trainer'?"},
         {good + "--config top.json", 2, "top.json:1:2: no such key 'max_epochs'; did you mean 'trainer.max_epochs'?"},
         {good + "--config both.json", 2, "both.json:2:2: 'trainer.max_epochs' is given twice"},
         {"--config options.json", 2, "options.json:2:11: model.depth: no --model is named; found: toy_net"},
         {good + "--config good.csv", 2,
          "good.csv: a configuration file is JSON and begins with {, or is named .yaml, .yml or .toml, but this file "
          "begins "
          "with 'label,x'"},
         {good + "--config empty.json", 2,
          "empty.json: a configuration file is JSON and begins with {, or is named .yaml, .yml or .toml, but this file "
          "is "
          "empty"},
         {good + "--config run.yaml", 2,
          "run.yaml:2:3: trainer.max_epoch: the trainer has no option 'max_epoch'; did you mean 'max_epochs'?"},
         {good + "--config run.txt", 2,
          "is JSON and begins with {, or is named .yaml, .yml or .toml, but this file begins"},
         {good + "--config bad.toml", 2, "bad.toml:2:8: this is no TOML: "},
         {good + "--config bin/host", 2, "a plugin is named with --model"},
         {good + "--config open.json", 2,
          "open.json:2:16: the text ends here, but the bracket opened at 1:13 is not closed"},
         {good + "--config none.json", 2, "cannot read 'none.json': No such file"},
         {good + "--config fifo.json", 2, "not a regular file"},
         {good + "--config .", 2, "not a regular file"}});
}

TEST_CASE("a configuration may come through a pipe") {
  const Installation installation;
  installation.write("run.json", "{\"trainer\": {\"max_epochs\": 3}}");
  CHECK(installation.host(good + "--config /dev/stdin --print_config <run.json").code == 0);
}

TEST_CASE("a checkpoint in the place of a run folder is answered with the option for it") {
  const Installation installation;
  installation.write("run/config.json", "{}");
  installation.write("run/checkpoints/a.ckpt", "");
  const std::string run = (installation.folder() / "run").string();
  check(installation, {{"resume run/checkpoints/a.ckpt", 2,
                        ("use host resume " + run + " --ckpt_path " + run + "/checkpoints/a.ckpt").c_str()}});
}

TEST_CASE("an incomplete installation says what is missing") {
  const Installation installation;
  std::filesystem::remove(installation.folder() / "libexec" / "levin" / "host-engine");
  check(installation, {{good, 70, "cannot start the engine"},
                       {"tasks report x", 2, "host tasks is not in this installation"},
                       {"sweep status x", 2, "build Levin's target host-sweep, and install Levin again"}});
}

TEST_CASE("an error is one line") {
  const Installation installation;
  const Answer answer = installation.host(good + "--nonsense '\n\n'");
  CHECK(answer.code == 2);
  CHECK(std::count(answer.err.begin(), answer.err.end(), '\n') == 1);
}
