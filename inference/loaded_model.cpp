#include "inference/loaded_model.hpp"

#include <ATen/core/grad_mode.h>

#include <filesystem>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/checkpoint/generators.hpp"
#include "core/checkpoint/state/model_tensors.hpp"
#include "core/config/option.hpp"
#include "core/config/trainer/run_plan.hpp"
#include "core/plugin/plugin_dirs.hpp"
#include "core/plugin/plugin_index.hpp"
#include "core/services/services.hpp"
#include "core/strategies/common/cuda.hpp"
#include "core/trainer/resume/init_weights.hpp"

namespace levin::core {
namespace {

const std::string& of_a_run(const std::string& path) {
  if (is_weights_file(path))
    throw Error(ErrorCode::checkpoint_format_unsupported,
                path +
                    ": the file has weights alone and does not name their model; give a checkpoint of Levin, or load "
                    "the weights into a module of your own by load_weights()");
  return path;
}

nlohmann::json part(const CheckpointReader& file, const char* key) {
  const nlohmann::json& manifest = file.manifest();
  return manifest.is_object() ? manifest.value(key, nlohmann::json()) : nlohmann::json();
}

RunConfig config_of(const CheckpointReader& file) {
  const nlohmann::json config = part(file, "config");
  if (!is_run_config(config))
    throw Error(ErrorCode::checkpoint_format_unsupported,
                file.path() + ": the checkpoint does not name its model: it was not saved by a run");
  try {
    return run_config_from_json(config, file.path() + ": config");
  } catch (const std::exception& e) {
    throw Error(ErrorCode::checkpoint_damaged, e.what());
  }
}

PrecisionType precision_of(const RunConfig& config, const std::string& path) {
  nlohmann::json trainer = nlohmann::json::object();
  if (config.trainer.is_object() && config.trainer.contains("precision"))
    trainer["precision"] = config.trainer["precision"];
  try {
    return make_run_plan(trainer).numerics.precision;
  } catch (const std::exception&) {
    throw Error(ErrorCode::checkpoint_damaged,
                path + ": config: trainer.precision is " + show(trainer["precision"]) + ", which is not a precision");
  }
}

// The first query of CUDA loads that part of LibTorch.
void require_device(at::Device device) {
  if (device.is_cpu()) return;
  const int gpus = cuda_device_count(), wanted = device.has_index() ? device.index() : 0;
  if (!device.is_cuda() || wanted >= gpus)
    throw Error(ErrorCode::device_not_available,
                "device " + device.str() + " is not available: LibTorch finds " +
                    (gpus == 0 ? "no GPU; use the device cpu"
                               : std::to_string(gpus) + (gpus == 1 ? " GPU" : " GPUs") + ", numbered from cuda:0"));
}

std::string versions(const std::string& was, const std::string& is) {
  if (was.empty() || was == is) return "it was rebuilt or changed; results may differ";
  return "its version is " + (is.empty() ? "unknown" : is) + " and was " + was + "; results may differ";
}

}  // namespace

LoadedModel::LoadedModel(const ModelSource& source, const Warn& warn)
    : LoadedModel(source, CheckpointReader(of_a_run(source.checkpoint)), warn) {}

// Members are initialized in this order; the model is destroyed before its plugin.
LoadedModel::LoadedModel(const ModelSource& source, const CheckpointReader& file, const Warn& warn)
    : console_([warn](int32_t level, const std::string& line) {
        if (level >= LEVIN_LOG_WARNING) warn(line);
      }),
      data_(part(file, "data"), source.checkpoint + ": data"),
      plugins_(console_, source.trust, services()),
      device_{source.device} {
  require_device(source.device);
  const GeneratorScope generators(source.device);
  const RunConfig config = config_of(file);
  run_.refusal = "the model is used without a run";
  run_.training_thread = std::this_thread::get_id();
  run_.device = &device_;
  run_.dist = &dist_;
  make(config.model, source);
  precision_ = make_precision(precision_of(config, source.checkpoint), source.device);
  tell(LEVIN_HOOK_SETUP, [](levin_event&) {});
  tell(LEVIN_HOOK_CONFIGURE_MODEL, [](levin_event&) {});
  model_->move(source.device, precision_->dtype());
  load_weights(file, *model_);
  load_state(file);
  model_->mode(false);
}

LoadedModel::~LoadedModel() = default;

// Finds the plugin as a run does: the given file, or else its copy in the plugin folders.
ComponentConfig LoadedModel::placed_plugin(const ComponentConfig& saved, const ModelSource& source) {
  if (source.plugin.empty() && !std::filesystem::path(saved.file).is_absolute())
    throw Error(ErrorCode::checkpoint_damaged,
                source.checkpoint + ": config: model.file is " + show(saved.file) + "; it has to be an absolute path");
  const std::string written = source.plugin.empty() ? saved.file : absolute_path(source.plugin).string();
  std::error_code unknown;
  if (!source.plugin.empty() && !std::filesystem::exists(written, unknown))
    throw Error(ErrorCode::plugin_not_found, written + ": no such plugin file");
  PluginIndex index(plugin_dirs({}), source.trust);
  const PluginIndex::Found found = index.find(written + ":" + saved.component, LEVIN_KIND_MODEL);
  ComponentConfig out = saved;
  out.file = found.file->path.string();
  out.component = found.component->id;
  out.options = resolve_options(found.component->options, saved.options, "model '" + out.component + "'");
  if (!saved.sha256.empty() && sha256_file(out.file) != saved.sha256)
    console_.warn(out.file + " is not the plugin file that trained the model of " + source.checkpoint + ": " +
                  versions(saved.version, found.component->version));
  return out;
}

void LoadedModel::make(const ComponentConfig& saved, const ModelSource& source) {
  try {
    const ComponentConfig config = placed_plugin(saved, source);
    const Created created = plugins_.create(config, LEVIN_KIND_MODEL, LEVIN_STAGE_PREDICT, data_.raw());
    model_ = std::make_unique<Model>(created.origin, created.table, created.self);
  } catch (const Error& e) {
    if (data_.raw() != nullptr) throw;
    throw Error(e.code(), std::string(e.what()) +
                              "; the checkpoint is of an older release and does not describe its data; resume it for "
                              "one more step with host fit --ckpt_path FILE to save one that does");
  }
}

void LoadedModel::tell(uint32_t hook, const std::function<void(levin_event&)>& more) {
  if (!model_->wants(hook)) return;
  levin_event event{};
  event.size = sizeof event;
  event.hook = hook;
  event.run = &run_;
  event.stage = LEVIN_STAGE_PREDICT;
  more(event);
  model_->on(event);
}

// Loads the model's own state, in addition to its weights, as a run does.
void LoadedModel::load_state(const CheckpointReader& file) {
  const nlohmann::json known = file.manifest().value("components", nlohmann::json::object());
  const nlohmann::json writer = known.is_object() ? known.value("model", nlohmann::json()) : nlohmann::json();
  if (writer.is_object()) {
    const StateBag own = file.bag("model");
    model_->load(own.reader(writer.value("version", "").c_str()));
  }
  const StateBag extra = file.bag("extra");
  const levin_reader reader = extra.reader("");
  tell(LEVIN_HOOK_LOAD_CHECKPOINT, [&](levin_event& e) {
    e.reader = &reader;
    e.text = file.path().c_str();
  });
}

std::vector<at::Tensor> LoadedModel::placed(const std::vector<at::Tensor>& inputs) const {
  std::vector<at::Tensor> out;
  for (const at::Tensor& input : inputs) {
    if (!input.defined()) throw Error(ErrorCode::call_invalid, "an input is an undefined tensor");
    const at::ScalarType type = precision_->input_dtype();
    const bool cast = input.is_floating_point() && type != at::ScalarType::Undefined && type != input.scalar_type();
    // Conversions without effect are skipped, because a trace would record their device and data type.
    const at::Tensor there = input.device() == device_.device ? input : input.to(device_.device);
    out.push_back(cast ? there.to(type) : there);
  }
  return out;
}

std::vector<at::Tensor> LoadedModel::forward(const std::vector<at::Tensor>& inputs) {
  if (!model_->overrides().has_forward())
    throw Error(ErrorCode::step_missing,
                model_->plugin() + ": model '" + model_->schema().id +
                    "' has no forward that takes tensors and returns them; in C++ its class needs a "
                    "torch::Tensor forward(torch::Tensor), in C its levin_model a forward");
  const std::lock_guard<std::mutex> turn(turn_);
  const at::NoGradGuard no_grad;
  run_.training_thread = std::this_thread::get_id();
  std::vector<at::Tensor> outputs;
  precision_->forward([&] { outputs = model_->forward(placed(inputs), &run_); });
  return outputs;
}

}  // namespace levin::core
