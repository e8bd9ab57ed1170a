#include "host/ckpt/ckpt_arguments.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace levin::core::ckpt {
namespace {

[[noreturn]] void refuse(const CkptVerb& verb, const std::string& what) {
  throw Error(ErrorKind::usage,
              std::string("host ckpt ") + verb.name + ": " + what + "; usage: host ckpt " + verb.usage);
}

int64_t count_of(const CkptVerb& verb, const std::string& text) {
  const bool digits = !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits) refuse(verb, "--keep takes a count, not '" + text + "'");
  return std::stoll(text);
}

}  // namespace

CkptArguments read_ckpt_arguments(const CkptVerb& verb, const std::vector<std::string>& arguments) {
  CkptArguments out;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word.empty() || word[0] != '-') {
      out.files.push_back(word);
      continue;
    }
    const size_t equals = word.find('=');
    std::string name = word.substr(0, equals);
    if (name == "--dry-run") name = "--dry_run";
    if (!verb.options.count(name))
      refuse(verb, "there is no option " + name + did_you_mean(name, {verb.options.begin(), verb.options.end()}));
    const bool takes_value = name == "--output" || name == "--keep";
    if (takes_value && equals == std::string::npos && i + 1 == arguments.size()) refuse(verb, name + " needs a value");
    const std::string value = !takes_value                  ? ""
                              : equals == std::string::npos ? arguments[++i]
                                                            : word.substr(equals + 1);
    if (name == "--json") out.json = true;
    if (name == "--all") out.all = true;
    if (name == "--dry_run") out.dry_run = true;
    if (name == "--force") out.force = true;
    if (name == "--output") out.output = value;
    if (name == "--keep") out.keep = count_of(verb, value);
  }
  if (out.files.size() < verb.least_files) refuse(verb, "too few files are named");
  if (out.files.size() > verb.most_files) refuse(verb, "'" + out.files[verb.most_files] + "' is one word too many");
  return out;
}

}  // namespace levin::core::ckpt
