#include "core/trainer/trainer.hpp"

#include <cstdio>
#include <utility>

#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/base/program_name.hpp"
#include "core/base/value_scope.hpp"
#include "core/config/program_file.hpp"
#include "core/plugin/plugin_dirs.hpp"
#include "core/plugin/plugin_index.hpp"
#include "host/compose/run_builder.hpp"
#include "sdk/include/levin/trainer.hpp"
#include "trainer/plain_errors.hpp"
#include "trainer/program_source.hpp"
#include "trainer/settings.hpp"

namespace levin {
namespace {

core::Command command_of(Stage stage) {
  switch (stage) {
    case Stage::validate:
      return core::Command::validate;
    case Stage::test:
      return core::Command::test;
    case Stage::predict:
      return core::Command::predict;
    default:
      return core::Command::fit;
  }
}

void to_terminal(int level, const std::string& line) {
  if (level >= LEVIN_LOG_WARNING) std::fprintf(stderr, "levin: warning: %s\n", line.c_str());
}

RunMetrics metrics_of(core::Trainer& trainer, Stage stage) {
  const auto set = stage == Stage::fit ? core::MetricSet::callback : core::MetricSet::results;
  RunMetrics out;
  for (const auto& [name, value] : trainer.assembly().loops.log.metrics(set).items()) out[name] = value;
  return out;
}

// Takes the host away from the objects of a program at the end of a call.
struct EndOfLoan {
  const detail::ProgramObjects& objects;
  ~EndOfLoan() { objects.lend(false); }
};

// saved: where the run saves its state when it is stopped.
[[noreturn]] void throw_interrupted(const std::filesystem::path& saved) {
  throw TrainerError(
      ErrorKind::interrupted,
      "a signal stopped the run" + (core::is_file(saved) ? "; it goes on from " + saved.string() : std::string()),
      core::text_of(core::ErrorCode::interrupted));
}

}  // namespace

struct Trainer::Impl {
  // A run and the plugin whose tables it uses, which is destroyed after it.
  struct Run {
    std::shared_ptr<detail::ProgramPlugin> own;
    std::unique_ptr<core::Trainer> trainer;
    Stage stage = Stage::fit;
  };

  explicit Impl(TrainerOptions given)
      : options(std::move(given)),
        console(options.log ? options.log : to_terminal),
        program(core::program_prefix + core::exe_path().string()) {
    core::name_lines("levin");
  }

  core::PluginIndex& files() {
    if (!index) index = std::make_unique<core::PluginIndex>(core::plugin_dirs(options.plugins), /*trust=*/false);
    return *index;
  }

  core::RunConfig config(Stage stage, const detail::ProgramPlugin& own, const Component* data,
                         const std::string& ckpt_path) {
    const core::PluginSchema schema = core::describe(own.plugin);
    core::ProgramSource source(program, schema, files());
    core::RunRequest request;
    request.command = command_of(stage);
    request.settings = core::settings_of(options, program, own, data);
    if (!ckpt_path.empty()) request.settings.push_back({"ckpt_path", ckpt_path, "ckpt_path", core::rank_command_line});
    core::BuiltRun built = core::build_run(std::move(request), source);
    for (const std::string& warning : built.warnings) console.warn(warning);
    return std::move(built.config);
  }

  Run begin(Stage stage, const std::shared_ptr<detail::ProgramPlugin>& own, const Component* data,
            const std::string& ckpt_path) {
    core::RunConfig run = config(stage, *own, data, ckpt_path);
    core::Embedding embedding{{{program, &own->plugin, detail::program_objects_service, &own->objects}},
                              options.signals};
    return {own, std::make_unique<core::Trainer>(std::move(run), console, std::move(embedding)), stage};
  }

  const TrainerOptions options;
  core::Console console;
  const std::string program;
  std::unique_ptr<core::PluginIndex> index;
  std::string run_dir;
  std::vector<torch::Tensor> predictions;
  Run fitted;
  Run* running = nullptr;  // while a hook may be called
};

Trainer::Trainer(TrainerOptions options)
    : impl_(with_kinds([&] { return std::make_unique<Impl>(std::move(options)); })) {}
Trainer::~Trainer() = default;
Trainer::Trainer(Trainer&&) noexcept = default;
Trainer& Trainer::operator=(Trainer&&) noexcept = default;

const std::string& Trainer::run_dir() const { return impl_->run_dir; }

RunMetrics Trainer::run(Stage stage, const std::shared_ptr<detail::ProgramPlugin>& own, const std::string& ckpt_path,
                        const Component* data) {
  return with_kinds([&] {
    if (impl_->running != nullptr)
      throw core::Error(core::ErrorCode::call_invalid,
                        "this Trainer is running, and cannot start another run before it has ended; use a second "
                        "Trainer in a hook");
    const EndOfLoan end{own->objects};
    if (stage == Stage::fit) impl_->fitted.trainer.reset();
    Impl::Run run = impl_->begin(stage, own, data, ckpt_path);
    const auto& folder = run.trainer->assembly().output.folder;
    impl_->run_dir = folder ? folder->path().string() : "";
    const core::ValueScope<Impl::Run*> running(impl_->running, &run);
    if (run.trainer->run() != 0) throw_interrupted(folder ? folder->interruption() : "");
    RunMetrics metrics = metrics_of(*run.trainer, stage);
    impl_->predictions.clear();
    for (const auto& loader : run.trainer->predictions())
      impl_->predictions.insert(impl_->predictions.end(), loader.begin(), loader.end());
    if (stage == Stage::fit) impl_->fitted = std::move(run);
    return metrics;
  });
}

std::vector<torch::Tensor> Trainer::predictions() { return std::move(impl_->predictions); }

void Trainer::save_checkpoint(const std::string& path) {
  with_kinds([&] {
    if (path.empty()) throw core::Error(core::ErrorCode::call_invalid, "save_checkpoint: the path is empty");
    const std::string file = core::absolute_path(path).string();
    if (impl_->running != nullptr && impl_->running->stage == Stage::fit)
      return impl_->running->trainer->assembly().state.save(file);
    if (impl_->running != nullptr || !impl_->fitted.trainer)
      throw core::Error(core::ErrorCode::call_invalid, "save_checkpoint: nothing was trained yet");
    const detail::ProgramObjects& objects = impl_->fitted.own->objects;
    objects.lend(true);
    const EndOfLoan end{objects};
    core::TrainingState& state = impl_->fitted.trainer->assembly().state;
    state.save(file);
    state.finish();
  });
}

}  // namespace levin
