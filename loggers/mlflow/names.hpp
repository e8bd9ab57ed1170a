// Names and values in the form that MLflow accepts.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace levin::mlflow {

using Texts = std::vector<std::pair<std::string, std::string>>;
using Values = std::vector<std::pair<std::string, double>>;
using Say = std::function<void(const std::string&)>;

// Returns the name with _ for each character that MLflow refuses: "val_loss_0" for "val_loss:0". The result is a
// relative path without . and .. as parts, of at most 250 bytes.
// also: further characters that are kept.
std::string accepted_name(const std::string& name, const char* also = "");
std::string accepted_file_name(const std::string& name);

// The names of one kind. Two names never become one, and each changed name is reported once.
class Names {
 public:
  explicit Names(std::string kind) : kind_(std::move(kind)) {}  // "metric", for the message
  const std::string& accepted(const std::string& name, const Say& warn);

 private:
  const std::string kind_;
  std::map<std::string, std::string> names_;
  std::set<std::string> taken_;
};

// MLflow's limits in bytes.
constexpr size_t longest_name = 250, longest_param = 6000, longest_tag = 5000;

// Returns a text of at most `bytes` bytes, cut between UTF-8 characters.
std::string cut_text(const std::string& text, size_t bytes);

int64_t now_ms();  // since 1970

}  // namespace levin::mlflow
