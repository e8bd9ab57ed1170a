// The files meta.yaml of MLflow's file store: one member a line.
#pragma once
#include <filesystem>
#include <string>

namespace levin::mlflow {

// Returns the text as a quoted scalar of YAML.
std::string quoted(const std::string& text);

// Returns the value of a member, which is a plain or quoted scalar; "" = there is none.
std::string member(const std::string& yaml, const std::string& name);

// Returns file://... of an absolute path.
std::string file_uri(const std::filesystem::path& path);

}  // namespace levin::mlflow
