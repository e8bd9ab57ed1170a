// Where a run's parameters, tags, metrics and files go: a folder of MLflow's file store, or a server.
#pragma once
#include <filesystem>
#include <memory>
#include <string>

#include "names.hpp"

namespace levin::mlflow {

// What a run begins with, or goes on with.
struct Opening {
  std::string experiment, run_name;
  std::string uid;               // of the run: letters, digits, - and _; the same when the run is resumed
  std::filesystem::path folder;  // for this logger in the run folder; need not exist
  Texts params, tags;
  std::string state;  // of the checkpoint that is resumed; "" = none
  Say info, warn;     // callable on any thread
};

// Functions throw levin::Error if something cannot be written.
class Store {
 public:
  virtual ~Store() = default;
  virtual void param(const std::string& name, const std::string& value) = 0;
  virtual void metrics(int64_t step, int64_t time_ms, const Values& values) = 0;
  // Keeps a file or folder as it is now. name: in MLflow, may contain folders. is_final: see keep_file.
  virtual void artifact(const std::filesystem::path& from, const std::string& name, bool is_final) = 0;
  virtual void content(const std::string& bytes, const std::string& name) = 0;  // the same for bytes
  virtual void flush() = 0;
  virtual void end(const std::string& status) = 0;  // "FINISHED", "FAILED" or "KILLED"
  virtual std::string state() = 0;                  // for Opening::state
};

// root: the folder mlruns. It is made if it is missing.
std::unique_ptr<Store> open_file_store(const std::filesystem::path& root, const Opening& opening);

// address: http://... or https://... without a slash at its end. The server is asked on another thread.
std::unique_ptr<Store> open_server_store(const std::string& address, const Opening& opening);

}  // namespace levin::mlflow
