// The script is run by /bin/sh with a srun that only drops its options. The arguments that arrive are compared.
#include "host/submit/sbatch_script.hpp"

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"
#include "host_process/host_process.hpp"
#include "launch/common/shell_quote.hpp"
#include "temp_folder.hpp"

using namespace levin::core;
namespace fs = std::filesystem;
using Words = std::vector<std::string>;

namespace {

const Words nasty = {"plain", "two words",  "",
                     "it's",  "\"double\"", "$HOME ${HOME} $(id)",
                     "`id`",  "a\nb\n",     "\n#SBATCH --nodes=9",
                     "\\",    "\\n\\'",     "*",
                     "~",     ";&|<>()",    "!x",
                     "{a,b}", "\t",         "%j",
                     "ü 漢",  "--lr=-1",    "a=b",
                     "#x"};

// Returns the arguments that the host gets from the script, followed by those of srun.
Words arrived(const TempFolder& folder, const PlannedRuns& plan, const SbatchOptions& options, int task) {
  const fs::path where = folder / "a folder's $name";
  fs::create_directories(where);
  folder.write_program("srun", "while :; do case $1 in --*) shift ;; *) break ;; esac; done; exec \"$@\"");
  folder.write_program("the host", "for w in \"$@\"; do printf '%s\\0' \"$w\"; done >'" + folder.file("words") +
                                       "'; pwd >'" + folder.file("where") + "'");
  folder.write("submit.sh", sbatch_script(plan, options, {folder.file("the host"), where.string()}));
  Program program{shell_command("PATH=$PWD:$PATH exec /bin/sh submit.sh"), folder.path()};
  program.variables["SLURM_ARRAY_TASK_ID"] = std::to_string(task);
  REQUIRE(run_program(program).code == 0);
  CHECK(trim(folder.read("where")) == where.string());
  Words arguments = split(folder.read("words"), '\0');
  arguments.pop_back();
  return arguments;
}

PlannedRuns plan_of(const Words& arguments) {
  PlannedRuns plan;
  plan.arguments = arguments;
  plan.runs = {{"/x", {}, {}}};
  return plan;
}

SubmitArguments job_of(const SbatchOptions& own = {}) {
  SubmitArguments arguments;
  arguments.time = "1:00:00";
  arguments.cpus = 4;
  arguments.sbatch = own;
  return arguments;
}

std::string value_of(const SbatchOptions& options, const std::string& name) {
  for (const auto& [key, value] : options)
    if (key == name) return value;
  return "(none)";
}

}  // namespace

TEST_CASE("the words of a run arrive as they were, whatever is in them") {
  const TempFolder folder;
  CHECK(arrived(folder, plan_of(nasty), {}, 0) == nasty);
}

TEST_CASE("each task of an array has its own words behind those of all") {
  const TempFolder folder;
  PlannedRuns plan = plan_of({"fit", "--a b"});
  plan.runs = {{"/x", {}, {"--x=0"}}, {"/x", {}, nasty}};
  Words all = plan.arguments;
  all.insert(all.end(), nasty.begin(), nasty.end());
  CHECK(arrived(folder, plan, {}, 1) == all);
  CHECK(arrived(folder, plan, {}, 0) == Words{"fit", "--a b", "--x=0"});
}

TEST_CASE("words without a meaning to shells stay readable") {
  CHECK(shell_quote({"fit", "--model.lr=0.1", "/a/b-c.so", "a b"}) == "fit --model.lr=0.1 /a/b-c.so 'a b'");
}

TEST_CASE("the script says what the job needs, and srun how many processes") {
  JobShape job;
  job.name = "submit_3";
  job.goes_on = true;
  job.layout.nodes = 2;
  job.layout.tasks_per_node = 4;
  PlannedRuns plan = plan_of({"fit"});
  plan.job = job;
  const SbatchOptions options = sbatch_options(job_of({{"comment", "a 'b' \\ \"#c"}}), job);
  const std::string script = sbatch_script(plan, options, {"/bin/host", "/tmp"});
  for (const char* line : {"#SBATCH --job-name=submit_3\n", "#SBATCH --nodes=2\n", "#SBATCH --ntasks-per-node=4\n",
                           "#SBATCH --time=1:00:00\n", "#SBATCH --requeue\n", "#SBATCH --signal=USR1@120\n",
                           "#SBATCH --comment=\"a 'b' \\\\ \\\"#c\"\n",
                           "exec srun --nodes=2 --ntasks=8 --ntasks-per-node=4 --cpus-per-task=4 /bin/host fit\n"})
    CHECK_THAT(script, ContainsSubstring(line));
}

TEST_CASE("an option of sbatch replaces the usual one, and those of host submit have no second name") {
  JobShape job;
  job.goes_on = true;
  const SbatchOptions options =
      sbatch_options(job_of({read_sbatch_option("--signal=USR1@600"), read_sbatch_option("no_requeue")}), job);
  CHECK(value_of(options, "signal") == "USR1@600");
  CHECK(value_of(options, "requeue") == "(none)");
  CHECK(value_of(options, "no-requeue").empty());
  SubmitArguments brief;
  brief.time = "2";
  CHECK(value_of(sbatch_options(brief, job), "signal") == "USR1@12");
  CHECK_THROWS_WITH(read_sbatch_option("nodes=3"), ContainsSubstring("--sbatch nodes=3: use --nodes N"));
  CHECK_THROWS_WITH(read_sbatch_option("array=0-3"), ContainsSubstring("use --grid.OPTION A,B"));
  for (const char* wrong : {"", "-", "=", "p=x", "x y=1", "gres=", "a$b=c"}) {
    INFO(wrong);
    CHECK_THROWS_AS(read_sbatch_option(wrong), Error);
  }
}

TEST_CASE("a process of the job may have several devices") {
  SubmitArguments arguments;
  RunConfig run;
  run.trainer = {{"devices", "auto"}, {"num_nodes", 1}, {"strategy", "dp"}};
  arguments.gpus = 2;
  CHECK(process_layout(arguments, run).tasks_per_node == 1);
  CHECK(process_layout(arguments, run).arguments == Words{"--trainer.devices=2"});
  arguments.nodes = 2;
  CHECK_THROWS_WITH(process_layout(arguments, run),
                    ContainsSubstring("trainer.strategy=dp uses one process, but the job has several; use ddp"));
  run.trainer = {{"devices", 4}, {"num_nodes", 1}, {"strategy", "model_parallel"}, {"devices_per_process", 2}};
  run.origins["trainer.devices"] = run.origins["trainer.devices_per_process"] = "--devices";
  arguments.gpus = 4;
  CHECK(process_layout(arguments, run).tasks_per_node == 2);
  CHECK(process_layout(arguments, run).arguments == Words{"--trainer.num_nodes=2"});
  arguments.tasks_per_node = 4;
  CHECK_THROWS_WITH(process_layout(arguments, run),
                    "4 devices of a node cannot be divided among --tasks_per_node 4 with "
                    "trainer.devices_per_process=2");
  arguments.tasks_per_node = 0;
  run.trainer["devices_per_process"] = 3;
  CHECK_THROWS_WITH(process_layout(arguments, run),
                    ContainsSubstring("among processes with trainer.devices_per_process=3"));
  run.origins.erase("trainer.devices_per_process");
  arguments.tasks_per_node = 3;
  CHECK_THROWS_WITH(process_layout(arguments, run), ContainsSubstring("divided among --tasks_per_node 3"));
  arguments.tasks_per_node = 2;
  CHECK(process_layout(arguments, run).tasks_per_node == 2);
}

TEST_CASE("a strategy of one process gets a job of one") {
  SubmitArguments arguments;
  RunConfig run;
  run.trainer = {{"devices", "auto"}, {"num_nodes", 1}, {"strategy", "single_device"}};
  arguments.gpus = 4;
  CHECK_THROWS_WITH(process_layout(arguments, run),
                    ContainsSubstring("trainer.strategy=single_device uses one process, but the job has several"));
  arguments.tasks_per_node = 1;
  CHECK(process_layout(arguments, run).tasks_per_node == 1);
}

TEST_CASE("the processes of the job and of the run agree") {
  SubmitArguments arguments;
  RunConfig run;
  run.trainer = {{"devices", "auto"}, {"num_nodes", 1}};
  CHECK(process_layout(arguments, run).arguments.empty());
  arguments.nodes = 2;
  arguments.gpus = 4;
  CHECK(process_layout(arguments, run).arguments == Words{"--trainer.devices=4", "--trainer.num_nodes=2"});
  arguments.gpus = 0;
  run.trainer["devices"] = 3;
  run.origins["trainer.devices"] = "--devices";
  const ProcessLayout by_run = process_layout(arguments, run);
  CHECK(by_run.tasks_per_node == 3);
  CHECK(by_run.arguments == Words{"--trainer.num_nodes=2"});
  arguments.tasks_per_node = 2;
  CHECK_THROWS_WITH(process_layout(arguments, run),
                    ContainsSubstring("trainer.devices asks for 3, but --tasks_per_node for 2"));
}
