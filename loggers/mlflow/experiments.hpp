// The experiments of MLflow's file store, which are folders of the folder mlruns.
#pragma once
#include <filesystem>
#include <string>

namespace levin::mlflow {

// Returns the id of the experiment with this name. It is made if there is none, and so is the folder mlruns.
std::string experiment_of(const std::filesystem::path& mlruns, const std::string& name);

}  // namespace levin::mlflow
