// Files that are compiled into the program.
#pragma once

namespace levin::core {

extern const char* const default_config_text;     // default.json
extern const char* const lightning_aliases_text;  // lightning_aliases.json
extern const char* const completion_bash;         // complete/host.bash
extern const char* const completion_zsh;          // complete/_host
extern const char* const completion_fish;         // complete/host.fish

}  // namespace levin::core
