// What TensorBoard's page of texts shows: Markdown.
#pragma once
#include <string>
#include <vector>

namespace levin::tensorboard {

// A table of levin_media, {"columns": [...], "rows": [[...], ...]}. Throws std::exception for bad JSON.
std::string markdown_table(const std::string& json);
// The run's name and tags.
std::string markdown_run(const std::string& name, const std::vector<std::string>& tags);
// JSON as it is.
std::string markdown_code(const std::string& json);

}  // namespace levin::tensorboard
