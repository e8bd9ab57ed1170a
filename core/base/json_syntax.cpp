#include "core/base/json_syntax.hpp"

#include "core/base/text.hpp"

namespace levin::core {
namespace {

struct Words {
  const char *library, *plain;
};

// What has to follow, by what nlohmann was parsing.
constexpr Words expected[] = {
    {"object key - ", "expected a name in double quotes"},
    {"object separator - ", "expected a colon"},
    {"object - ", "expected a comma or }"},
    {"array - ", "expected a comma or ]"},
    {"", "expected a value: an object, a list, a text in double quotes, a number, true, false or null"},
};
constexpr Words found[] = {
    {"string literal", "a text"},
    {"number literal", "a number"},
    {"true literal", "true"},
    {"false literal", "false"},
    {"null literal", "null"},
    {"'[", "["},
    {"']", "]"},
    {"'{", "{"},
    {"'}", "}"},
    {"':", "a colon"},
    {"',", "a comma"},
    {"end of input", "the end of the text"},
};

// Returns the part of the text between two marks, or up to its end; "" without the first mark.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const size_t at = text.find(begin);
  if (at == std::string::npos) return "";
  const size_t first = at + begin.size();
  return text.substr(first, text.find(end, first) - first);
}

std::string with_what_follows(const std::string& doing) {
  std::string text;
  const std::string token = between(doing, "unexpected ", ";");
  for (const Words& words : found)
    if (text.empty() && starts_with(token, words.library)) text = std::string("unexpected: ") + words.plain + "; ";
  if (doing.find("; expected end of input") != std::string::npos) return text + "expected the end of the text";
  for (const Words& words : expected)
    if (starts_with(doing, words.library)) return text + words.plain;
  return text;
}

}  // namespace

std::string plain_syntax_error(const std::string& message) {
  const std::string begin = "syntax error while parsing ";
  if (!starts_with(message, begin)) return message;
  const std::string doing = message.substr(begin.size()), in_text = between(doing, "invalid string: ", ";");
  if (starts_with(in_text, "missing closing quote")) return "the quotation mark is not closed";
  if (!in_text.empty()) return "this text is not valid: " + in_text;
  if (doing.find("invalid number") != std::string::npos) return "this number is not valid";
  if (doing.find("invalid comment") != std::string::npos) return "this comment is not valid";
  return with_what_follows(doing);
}

}  // namespace levin::core
