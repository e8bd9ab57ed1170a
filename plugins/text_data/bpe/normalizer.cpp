#include "normalizer.hpp"

#include <locale.h>
#include <wctype.h>

#include <nlohmann/json.hpp>

#include "tokenizer_file.hpp"
#include "unicode.hpp"

namespace text {
namespace {

std::string lower_case(const std::string& text) {
  static const locale_t unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  std::string out;
  for (const Character& c : characters_of(text)) {
    if (c.code < 0x80 || !unicode)
      append(out, c.code >= 'A' && c.code <= 'Z' ? c.code + 32 : c.code);
    else if (c.code == 0x130)
      out += "i\xcc\x87";  // the only letter whose small one is two characters
    else
      append(out, static_cast<uint32_t>(towlower_l(static_cast<wint_t>(c.code), unicode)));
  }
  return out;
}

std::string replaced(const std::string& text, const std::string& from, const std::string& to) {
  std::string out;
  size_t at = 0;
  for (size_t found; (found = text.find(from, at)) != std::string::npos; at = found + from.size())
    out.append(text, at, found - at).append(to);
  return out.append(text, at, std::string::npos);
}

}  // namespace

Normalizer::Normalizer(const nlohmann::json& json, const std::string& path) { add(json, path); }

void Normalizer::add(const nlohmann::json& json, const std::string& path) {
  if (json.is_null()) return;
  const std::string type = json.at("type");
  if (type == "Sequence") {
    for (const auto& part : json.at("normalizers")) add(part, path);
  } else if (type == "Lowercase") {
    steps_.push_back({Kind::lower, "", ""});
  } else if (type == "Prepend") {
    steps_.push_back({Kind::prepend, "", json.at("prepend")});
  } else if (type == "Replace" && json.at("pattern").contains("String") && json.at("pattern").at("String") != "") {
    steps_.push_back({Kind::replace, json.at("pattern").at("String"), json.at("content")});
  } else {
    refuse_tokenizer(
        path, "its normalizer is '" + type + "'; Lowercase, Prepend, Replace (of a text) and Sequence are supported");
  }
}

std::string Normalizer::apply(std::string text) const {
  for (const Step& step : steps_) {
    if (step.kind == Kind::lower) text = lower_case(text);
    if (step.kind == Kind::prepend && !text.empty()) text = step.to + text;
    if (step.kind == Kind::replace) text = replaced(text, step.from, step.to);
  }
  return text;
}

}  // namespace text
