#include "samples.hpp"

#include <map>
#include <nlohmann/json.hpp>

#include "../common/utf8.hpp"
#include "inputs.hpp"
#include "levin/error.hpp"

namespace webdataset {
namespace {

constexpr uint64_t most_text = 1 << 20;

using Fields = std::map<std::string, Member>;

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\r\n"), last = text.find_last_not_of(" \t\r\n");
  return first == text.npos ? "" : text.substr(first, last - first + 1);
}

// Returns the text of a member, or of this key of its JSON; "" = there is none.
std::string text_in(const std::string& text, const std::string& key) {
  if (key.empty()) return trimmed(text);
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains(key) || json[key].is_null()) return "";
  return json[key].is_string() ? trimmed(json[key].get<std::string>()) : json[key].dump();
}

class Reader {
 public:
  Reader(const Options& options, std::string& input, Needs needs, Damage& damage, SampleSet& out)
      : options_(options), input_(input), needs_(needs), damage_(damage), out_(out) {}

  void read(const std::string& path) {
    const TarFile tar(path);
    std::string broken, key;
    Fields fields;
    out_.shards.push_back(path);
    out_.states.push_back(tar.state());
    const std::vector<Member> members = tar.members(broken);
    if (!broken.empty() && members.empty()) throw levin::Error(LEVIN_E_IO, broken);
    for (const Member& member : members) {
      std::string next, field;
      if (!cut_name(member.name, next, field) || next.compare(0, 2, "__") == 0) continue;
      if (next != key) {
        if (!fields.empty()) add(tar, key, fields);
        fields.clear();
        key = next;
      }
      if (!fields.emplace(field, member).second) damage_.add(path + ":" + member.name + " is there twice");
    }
    if (!broken.empty())
      damage_.add(broken);  // the last sample may lack members
    else if (!fields.empty())
      add(tar, key, fields);
  }

 private:
  void add(const TarFile& tar, const std::string& key, const Fields& fields) {
    const std::string place = tar.path() + ":" + key;
    damage_.count(1);
    if (!common::is_utf8(key)) return damage_.add(place + ": the name is not in UTF-8");
    if (input_ == "auto") choose_input(place, fields);
    const auto input = fields.find(input_);
    if (input == fields.end()) return damage_.add(place + " has no member ." + input_ + "; it has " + listed(fields));
    Sample sample{static_cast<uint32_t>(out_.shards.size() - 1), key, input->second.begin, input->second.size, "", ""};
    std::string problem = read_text(tar, fields, {options_.target, "target", needs_.target}, sample.target);
    if (problem.empty() && needs_.group)
      problem = read_text(tar, fields, {options_.group, "group", true}, sample.group);
    if (!problem.empty()) return damage_.add(place + problem);
    out_.samples.push_back(std::move(sample));
  }
  struct Wanted {
    const TextMember& member;
    const char* what;
    bool needed;
  };
  // Returns what is wrong with the text of the sample, behind its place; "" = nothing.
  static std::string read_text(const TarFile& tar, const Fields& fields, const Wanted& wanted, std::string& out) {
    const auto& [member, what, needed] = wanted;
    const auto field = fields.find(member.ending);
    if (field == fields.end())
      return needed ? " has no member ." + member.ending + ", the " + what + "; it has " + listed(fields) : "";
    if (field->second.size > most_text) return std::string(": the ") + what + " has more than 1 MiB";
    std::string text(field->second.size, 0);
    tar.read(field->second.begin, field->second.size, text.data());
    out = text_in(text, member.key);
    if (!needed || (!out.empty() && common::is_utf8(out))) return "";
    return "." + member.ending + " has no " + what + (member.key.empty() ? "" : " '" + member.key + "'");
  }
  void choose_input(const std::string& place, const Fields& fields) {
    for (const auto& [field, member] : fields)
      if (is_input(field) && input_ == "auto") input_ = field;
    if (input_ == "auto")
      throw levin::Error(LEVIN_E_IO, place + " has no image and no .npy member, only " + listed(fields) +
                                         ": name the ending by --data.input");
  }
  static std::string listed(const Fields& fields) {
    std::string text;
    for (const auto& [field, member] : fields) text += (text.empty() ? "." : ", .") + field;
    return text;
  }

  const Options& options_;
  std::string& input_;
  const Needs needs_;
  Damage& damage_;
  SampleSet& out_;
};

}  // namespace

bool cut_name(const std::string& name, std::string& key, std::string& field) {
  const size_t slash = name.rfind('/'), base = slash == name.npos ? 0 : slash + 1, dot = name.find('.', base + 1);
  if (dot == name.npos || name[base] == '.') return false;
  key = name.substr(0, dot);
  field = name.substr(dot + 1);
  for (char& c : field) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return true;
}

std::vector<uint8_t> SampleSet::input(const Sample& sample) const {
  const TarFile tar(shards[sample.shard]);
  if (tar.state() != states[sample.shard])
    tar.fail("was changed while it was in use: write new samples to another file");
  std::vector<uint8_t> bytes(sample.size);
  tar.read(sample.begin, sample.size, bytes.data());
  return bytes;
}

SampleSet read_samples(const std::vector<std::string>& shards, const Options& options, std::string& input, Needs needs,
                       Damage& damage) {
  SampleSet out;
  Reader reader(options, input, needs, damage, out);
  for (const std::string& shard : shards) reader.read(shard);
  if (out.samples.empty())
    throw levin::Error(
        LEVIN_E_IO, shards[0] + (shards.size() > 1 ? " and the others have" : " has") + " no sample that can be used");
  return out;
}

}  // namespace webdataset
