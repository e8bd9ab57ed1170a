// The normalizers of a tokenizer.json: they change the text before it is cut.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace text {

class Normalizer {
 public:
  Normalizer() = default;
  // Throws levin::Error for a normalizer that is not supported. path: of the file, for messages.
  Normalizer(const nlohmann::json& json, const std::string& path);
  std::string apply(std::string text) const;

 private:
  enum class Kind { lower, prepend, replace };
  struct Step {
    Kind kind;
    std::string from, to;
  };
  void add(const nlohmann::json& json, const std::string& path);
  std::vector<Step> steps_;
};

}  // namespace text
