#include "core/checkpoint/manifest_check.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/json.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

bool is_byte(const json& v) { return json_rule::count(v) && v <= 255; }
bool is_name(const json& v) { return v.is_string() || (v.is_array() && std::all_of(v.begin(), v.end(), is_byte)); }
bool is_object_or_null(const json& v) { return v.is_object() || v.is_null(); }
bool is_world_size(const json& v) { return json_rule::count(v) && v > 0 && v <= 1000000; }
bool is_seed(const json& v) { return v.is_number_integer() && v >= 0; }
bool is_duration(const json& v) { return v.is_number() && v >= 0 && std::isfinite(v.get<double>()); }
bool is_scale(const json& v) { return is_duration(v) && v > 0; }
bool is_reduction(const json& v) { return json_rule::count(v) && v <= 3; }
bool is_metric(const json& v) { return v.is_array() && v.size() == 2 && v[0].is_string() && json_rule::number(v[1]); }

// A key is listed after its parent.
constexpr JsonRule manifest_rules[] = {
    {"levin_version", json_rule::text, "a text"},
    {"torch_version", json_rule::text, "a text"},
    {"num_threads", json_rule::count, "a count"},
    {"seed", is_seed, "a count"},
    {"config", json_rule::object, "an object"},
    {"data", is_object_or_null, "an object or null"},
    {"data/rows", json_rule::list, "a list"},
    {"data/rows/*", json_rule::whole, "a whole number"},
    {"data/fields", json_rule::list, "a list"},
    {"data/fields/*", json_rule::object, "an object"},
    {"data/fields/*/name", is_name, "a text, or its bytes"},
    {"data/fields/*/dtype", json_rule::list, "a list"},
    {"data/fields/*/dtype/*", json_rule::count, "a count"},
    {"data/fields/*/shape", json_rule::list, "a list"},
    {"data/fields/*/shape/*", json_rule::whole, "a whole number"},
    {"data/fields/*/role", json_rule::count, "a count"},
    {"data/fields/*/classes", json_rule::whole, "a whole number"},
    {"data/fields/*/class_names", json_rule::list, "a list"},
    {"data/fields/*/class_names/*", is_name, "a text, or its bytes"},
    {"weights_only", json_rule::flag, "true or false"},
    {"run", json_rule::text, "a text"},
    {"saves", json_rule::count, "a count"},
    {"epoch", json_rule::count, "a count"},
    {"global_step", json_rule::count, "a count"},
    {"world_size", is_world_size, "a number of processes"},
    {"ranks", json_rule::list, "a list"},
    {"ranks/*", json_rule::object, "an object"},
    {"ranks/*/bytes", json_rule::list, "a list"},
    {"ranks/*/bytes/*", json_rule::text, "a text"},
    {"ranks/*/types", json_rule::object, "an object"},
    {"ranks/*/types/*", json_rule::text, "a text"},
    {"bytes", json_rule::list, "a list"},
    {"bytes/*", json_rule::text, "a text"},
    {"types", json_rule::object, "an object"},
    {"types/*", json_rule::text, "a text"},
    {"components", json_rule::object, "an object"},
    {"components/*", json_rule::object, "an object"},
    {"components/*/*", json_rule::text, "a text"},
    {"loops", json_rule::object, "an object"},
    {"loops/epochs_completed", json_rule::count, "a count"},
    {"loops/global_step", json_rule::count, "a count"},
    {"loops/batches_that_stepped", json_rule::count, "a count"},
    {"loops/train_seconds", is_duration, "a number of seconds"},
    {"loops/epoch_schedules_pending", json_rule::flag, "true or false"},
    {"loops/is_last_batch", json_rule::flag, "true or false"},
    {"loops/is_last_val_batch", json_rule::flag, "true or false"},
    {"loops/window_open", json_rule::flag, "true or false"},
    {"loops/ends_window", json_rule::flag, "true or false"},
    {"loops/validating", json_rule::flag, "true or false"},
    {"loops/goes_on_after", json_rule::count, "a count"},
    {"loops/skip_epoch", json_rule::flag, "true or false"},
    {"loops/wants_skip_epoch", json_rule::flag, "true or false"},
    {"loops/sent_skip_epoch", json_rule::flag, "true or false"},
    {"loops/epoch_cut", json_rule::flag, "true or false"},
    {"loops/rows_repeated", json_rule::count, "a count"},
    {"loops/left_out_steps", json_rule::object, "an object"},
    {"loops/left_out_steps/*", json_rule::count, "a count"},
    {"loops/tail", json_rule::count, "0, 1 or 2"},
    {"loops/progress", json_rule::object, "an object"},
    {"loops/progress/*", json_rule::object, "an object"},
    {"loops/progress/*/*", json_rule::object, "an object"},
    {"loops/progress/*/*/*", json_rule::count, "a count"},
    {"loops/callback_metrics", json_rule::list, "a list"},
    {"loops/callback_metrics/*", is_metric, "a name with a number"},
    {"loops/epoch_metrics", json_rule::list, "a list"},
    {"loops/epoch_metrics/*", json_rule::object, "an object"},
    {"loops/epoch_metrics/*/name", json_rule::text, "a text"},
    {"loops/epoch_metrics/*/origin", json_rule::count, "a count"},
    {"loops/epoch_metrics/*/dataloader_idx", json_rule::whole, "a number of a loader"},
    {"loops/epoch_metrics/*/on_step", json_rule::flag, "true or false"},
    {"loops/epoch_metrics/*/on_epoch", json_rule::flag, "true or false"},
    {"loops/epoch_metrics/*/prog_bar", json_rule::flag, "true or false"},
    {"loops/epoch_metrics/*/logger", json_rule::flag, "true or false"},
    {"loops/epoch_metrics/*/add_dataloader_idx", json_rule::flag, "true or false"},
    {"loops/epoch_metrics/*/sync_dist", json_rule::flag, "true or false"},
    {"loops/epoch_metrics/*/rank_zero_only", json_rule::flag, "true or false"},
    {"loops/epoch_metrics/*/agreed", json_rule::flag, "true or false"},
    {"loops/epoch_metrics/*/agreed_step", json_rule::number, "a number"},
    {"loops/epoch_metrics/*/sync_dist_group", json_rule::list, "a list"},
    {"loops/epoch_metrics/*/sync_dist_group/*", json_rule::count, "a rank"},
    {"loops/epoch_metrics/*/reduce", is_reduction, "a reduction, 0 to 3"},
    {"loops/epoch_metrics/*/known", json_rule::number, "a number"},
    {"loops/epoch_metrics/*/value", json_rule::object, "an object"},
    {"loops/epoch_metrics/*/value/step", json_rule::number, "a number"},
    {"loops/epoch_metrics/*/value/total", json_rule::number, "a number"},
    {"loops/epoch_metrics/*/value/weight", json_rule::whole, "a whole number"},
    {"loops/epoch_metrics/*/value/empty", json_rule::flag, "true or false"},
    {"loops/epoch_metrics/*/value/wide", json_rule::flag, "true or false"},
    {"optimizer_states", json_rule::list, "a list"},
    {"optimizer_states/*", json_rule::object, "an object"},
    {"optimizer_states/*/name", json_rule::text, "a text"},
    {"optimizer_states/*/values", json_rule::object, "an object"},
    {"optimizer_states/*/values/optimizer", json_rule::text, "a text"},
    {"optimizer_states/*/values/groups", json_rule::list, "a list"},
    {"optimizer_states/*/values/groups/*", json_rule::object, "an object"},
    {"optimizer_states/*/values/groups/*/params", json_rule::list, "a list"},
    {"optimizer_states/*/values/groups/*/params/*", json_rule::text, "a text"},
    {"optimizer_states/*/values/groups/*/steps", json_rule::list, "a list"},
    {"optimizer_states/*/values/groups/*/steps/*", json_rule::count, "a count"},
    {"optimizer_states/*/values/groups/*/initial_lr", json_rule::number, "a number"},
    {"lr_schedulers", json_rule::list, "a list"},
    {"lr_schedulers/*", json_rule::object, "an object"},
    {"lr_schedulers/*/scheduler", json_rule::text, "a text"},
    {"lr_schedulers/*/last_epoch", json_rule::count, "a count"},
    {"lr_schedulers/*/base_lrs", json_rule::list, "a list"},
    {"lr_schedulers/*/base_lrs/*", json_rule::number, "a number"},
    {"lr_schedulers/*/last_lr", json_rule::list, "a list"},
    {"lr_schedulers/*/last_lr/*", json_rule::number, "a number"},
    {"lr_schedulers/*/paused", json_rule::flag, "true or false"},
    {"precision", json_rule::object, "an object"},
    {"precision/scale", is_scale, "a number above 0"},
    {"precision/_growth_tracker", json_rule::count, "a count"},
};

}  // namespace

void check_manifest(const json& manifest, const std::string& path) {
  check_json(manifest, manifest_rules, path, ErrorCode::checkpoint_damaged);
}

}  // namespace levin::core
