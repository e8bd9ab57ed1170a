#include "names.hpp"

#include <chrono>
#include <cstring>

namespace levin::mlflow {
namespace {

bool is_accepted(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.' || c == ' ' || c == '/';
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

std::string accepted_name(const std::string& name, const char* also) {
  std::string out, part;
  const auto end_part = [&] {
    if (part.empty() || part == "." || part == "..") part = std::string(part.empty() ? 1 : part.size(), '_');
    out += (out.empty() ? "" : "/") + part;
    part.clear();
  };
  for (const char c : name.substr(0, longest_name))
    if (c == '/')
      end_part();
    else if (!is_continuation(c))
      part += is_accepted(c) || (c && std::strchr(also, c)) ? c : '_';
  end_part();
  return out;
}

std::string accepted_file_name(const std::string& name) { return accepted_name(name, "=+,@()"); }

const std::string& Names::accepted(const std::string& name, const Say& warn) {
  const auto [known, is_new] = names_.try_emplace(name);
  if (!is_new) return known->second;
  const std::string wanted = accepted_name(name);
  std::string& out = known->second = wanted;
  for (int n = 2; !taken_.insert(out).second; ++n) out = wanted.substr(0, longest_name - 5) + "_" + std::to_string(n);
  if (out != name) warn("the " + kind_ + " '" + name + "' is named '" + out + "' in MLflow");
  return out;
}

std::string cut_text(const std::string& text, size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && is_continuation(text[bytes])) --bytes;
  return text.substr(0, bytes);
}

int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace levin::mlflow
