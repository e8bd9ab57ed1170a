// The name of the program in messages and hints. Sources and documents call it `host`; a program that is installed
// under another name, as by a Debian package, prints that name.
#pragma once
#include <string>

namespace levin::core {

// Names the program in lines and in the environment variable LEVIN_PROGRAM, which the programs that it starts read.
// path: argv[0] of the program. A path to `host` keeps the name of the parent process; other characters than those of a
// plain file name are ignored. To be called before there are threads.
void name_program(const std::string& path);

// Names the lines of a program that has a Trainer. Its hints still name `host`.
void name_lines(const char* name);

// The name before the colon of a line, as in "host: error: ". Safe in a signal handler.
const char* line_name();
// The name in hints, as in "host resume RUN_DIR". Safe in a signal handler.
const char* command_name();
// Returns false in a program that has a Trainer: `host resume` cannot resume its runs.
bool is_host_program();

// Replaces `host` by command_name() before commands and options, and by line_name() at the start of lines.
std::string with_program_name(std::string text);
// Prints "host: LEVEL: TEXT", or "host: TEXT" without a level, to the standard error with the names of the program.
void print_message(const char* level, const std::string& text);

// Replaces the word `host` everywhere, and `host` in names of functions such as `_host_unquote`: for scripts of shells.
std::string script_for_program(std::string script);

// Returns the position behind "NAME: error[E0204]: " or "NAME: error: " at the start of a line of a program, or npos.
size_t behind_error(const std::string& line);

}  // namespace levin::core
