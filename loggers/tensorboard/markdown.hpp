// Markdown for TensorBoard's TEXT page.
#pragma once
#include <string>
#include <vector>

namespace levin::tensorboard {

// A table of levin_media, {"columns": [...], "rows": [[...], ...]}. Throws std::exception for invalid JSON.
std::string markdown_table(const std::string& json);
// The run's name and tags.
std::string markdown_run(const std::string& name, const std::vector<std::string>& tags);
// The JSON as a code block.
std::string markdown_code(const std::string& json);

}  // namespace levin::tensorboard
