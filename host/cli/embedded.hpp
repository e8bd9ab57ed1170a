// Files of this folder that are compiled into the program.
#pragma once

namespace levin::core {

extern const char* const default_config_text;     // default.json
extern const char* const lightning_aliases_text;  // lightning_aliases.json

}  // namespace levin::core
