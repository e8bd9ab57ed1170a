#include "tasks/signing/signature.hpp"

#include <vector>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "tasks/common/random_hex.hpp"

namespace levin::core::tasks {
namespace {

[[noreturn]] void refuse_signature(const std::string& why) {
  throw Error(ErrorCode::library_not_allowed, "the signature is damaged: " + why);
}

constexpr const char* first_word = "levin-signature-1";
constexpr size_t most_text = 1000, signature_digits = 128, sum_digits = 64;

void require_digits(const std::string& word, size_t count, const char* what) {
  if (!is_hex(word, count))
    refuse_signature(std::string(what) + " has " + std::to_string(word.size()) + " of " + std::to_string(count) +
                     " hexadecimal digits, or other characters");
}

std::string bytes_of(const std::string& digits) {
  const auto value = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string out;
  for (size_t i = 0; i + 1 < digits.size(); i += 2)
    out.push_back(static_cast<char>(16 * value(digits[i]) + value(digits[i + 1])));
  return out;
}

}  // namespace

std::string Signature::statement() const { return join({first_word, platform, sha256}, " "); }
std::string Signature::text() const { return statement() + " " + hex_digits(bytes) + "\n"; }

Signature read_signature(const std::string& text) {
  if (text.size() > most_text) refuse_signature("it has more than " + std::to_string(most_text) + " bytes");
  const std::vector<std::string> words = split(trim(text), ' ');
  if (words[0] != first_word) refuse_signature(std::string("it does not begin with ") + first_word);
  if (words.size() != 4) refuse_signature("it has " + std::to_string(words.size()) + " words instead of 4");
  require_digits(words[2], sum_digits, "its SHA-256 sum");
  require_digits(words[3], signature_digits, "its last word");
  return {words[1], words[2], bytes_of(words[3])};
}

}  // namespace levin::core::tasks
