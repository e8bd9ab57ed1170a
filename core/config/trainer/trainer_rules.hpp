// Rules for the Trainer's options that accept values of several types. Each returns the value in the form that the
// Trainer uses, or a discarded value if it is not valid.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace levin::core::trainer_rules {

nlohmann::json count_or_fraction(const nlohmann::json& given);  // 1 is one batch, 1.0 is all of them
nlohmann::json check_interval(const nlohmann::json& given);     // a count or fraction above 0, or a time
nlohmann::json accumulation(const nlohmann::json& given);       // a count, or counts by epoch
nlohmann::json norm(const nlohmann::json& given);               // above 0, or "inf"
nlohmann::json bool_or_count(const nlohmann::json& given);      // 0 is false
nlohmann::json bool_or_warn(const nlohmann::json& given);
nlohmann::json precision(const nlohmann::json& given);    // the name of a PrecisionType
nlohmann::json seed(const nlohmann::json& given);         // a bool or 32 bits
nlohmann::json version(const nlohmann::json& given);      // an int or a name of one folder
nlohmann::json folder_name(const nlohmann::json& given);  // of one folder, or of several with slashes
nlohmann::json line(const nlohmann::json& given);         // a text of one line that is not empty
nlohmann::json tags(const nlohmann::json& given);         // a list of texts, or a text with commas
nlohmann::json devices(const nlohmann::json& given);      // "auto", a count, -1 for all, or a list of indices

// Every name that precision() accepts: those of PrecisionType, then the short ones.
std::vector<std::string> precision_names();

}  // namespace levin::core::trainer_rules
