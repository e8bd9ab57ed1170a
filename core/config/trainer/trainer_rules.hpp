// Rules for Trainer options that accept values of several types. Each returns the value in the form that the Trainer
// uses, or a discarded value if it is invalid.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace levin::core::trainer_rules {

nlohmann::json count_or_fraction(const nlohmann::json& given);  // 1 = one batch, 1.0 = all batches
nlohmann::json check_interval(const nlohmann::json& given);     // a count or fraction above 0, or a time
nlohmann::json accumulation(const nlohmann::json& given);       // a count, or counts by epoch
nlohmann::json norm(const nlohmann::json& given);               // above 0, or "inf"
nlohmann::json bool_or_count(const nlohmann::json& given);      // 0 is false
nlohmann::json bool_or_warn(const nlohmann::json& given);
nlohmann::json precision(const nlohmann::json& given);    // the name of a PrecisionType
nlohmann::json seed(const nlohmann::json& given);         // a bool or a 32-bit number
nlohmann::json version(const nlohmann::json& given);      // an int or a folder name
nlohmann::json folder_name(const nlohmann::json& given);  // a folder name, or several joined by slashes
nlohmann::json line(const nlohmann::json& given);         // a non-empty text of one line
nlohmann::json tags(const nlohmann::json& given);         // a list of texts, or a text with commas
nlohmann::json devices(const nlohmann::json& given);      // "auto", a count, -1 for all, or a list of indices

// Returns every name that precision() accepts: the names of PrecisionType, then the short names.
std::vector<std::string> precision_names();

}  // namespace levin::core::trainer_rules
