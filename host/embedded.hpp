// Files of this folder that are compiled into the program.
#pragma once

namespace levin::core {

extern const char* const default_config_text;  // default.json
extern const char* const old_options_text;     // old_options.json

}  // namespace levin::core
