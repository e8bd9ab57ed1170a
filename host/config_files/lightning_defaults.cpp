#include "host/config_files/lightning_defaults.hpp"

#include <algorithm>
#include <iterator>

namespace levin::core {
namespace {

constexpr struct Default {
  const char *part, *argument, *value;  // the value as JSON
} defaults[] = {
    // torch.optim
    {"optimizer", "foreach", "false"},
    {"optimizer", "fused", "false"},
    {"optimizer", "capturable", "false"},
    {"optimizer", "differentiable", "false"},
    {"optimizer", "maximize", "false"},
    {"optimizer", "decoupled_weight_decay", "false"},
    // torch.optim.lr_scheduler, and the ReduceLROnPlateau of LightningCLI
    {"lr_scheduler", "last_epoch", "-1"},
    {"lr_scheduler", "verbose", "false"},
    {"lr_scheduler", "verbose", R"("deprecated")"},
    {"lr_scheduler", "scale_mode", R"("cycle")"},
    {"lr_scheduler", "monitor", R"("val_loss")"},
    // TensorBoardLogger
    {"logger", "log_graph", "false"},
    {"logger", "comment", R"("")"},
    {"logger", "max_queue", "10"},
    {"logger", "flush_secs", "120"},
    {"logger", "filename_suffix", R"("")"},
    // the logger of Weights & Biases
    {"logger", "offline", "false"},
    {"logger", "add_file_policy", R"("mutable")"},
    // TQDMProgressBar, RichProgressBar
    {"callback", "process_position", "0"},
    {"callback", "leave", "false"},
    // SimpleProfiler, AdvancedProfiler, DDPStrategy
    {"trainer", "extended", "true"},
    {"trainer", "line_count_restriction", "1.0"},
    {"trainer", "dump_stats", "false"},
    {"trainer", "timeout", R"("0:30:00")"},
    {"trainer", "start_method", R"("popen")"},
};

}  // namespace

bool asks_nothing(const std::string& part, const std::string& argument, const nlohmann::json& value) {
  return value.is_null() || std::any_of(std::begin(defaults), std::end(defaults), [&](const Default& row) {
           return part == row.part && argument == row.argument && nlohmann::json::parse(row.value) == value;
         });
}

}  // namespace levin::core
