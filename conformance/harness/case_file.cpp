#include "conformance/harness/case_file.hpp"

#include <set>

#include "core/base/error.hpp"
#include "core/base/file.hpp"

namespace conformance {
namespace {

using levin::core::Error;
using levin::core::ErrorCode;

constexpr int schema_version = 2;

[[noreturn]] void refuse(const std::string& where, const std::string& what) {
  throw Error(ErrorCode::file_content_invalid, where + ": " + what);
}

enum class Type { text, object, array, boolean };

bool is(const json& value, Type type) {
  switch (type) {
    case Type::text:
      return value.is_string();
    case Type::object:
      return value.is_object();
    case Type::array:
      return value.is_array();
    default:
      return value.is_boolean();
  }
}

struct Member {
  const char* name;
  Type type;
  bool required;
};

// Throws if a member is unknown, has the wrong type, or is required and missing.
void check_members(const json& value, const std::vector<Member>& members, const std::string& where) {
  if (!value.is_object()) refuse(where, "is not an object");
  for (const Member& m : members) {
    const auto found = value.find(m.name);
    if (found == value.end() && m.required) refuse(where, std::string("'") + m.name + "' is missing");
    if (found != value.end() && !is(*found, m.type)) refuse(where, std::string("'") + m.name + "' has a wrong type");
  }
  for (const auto& [name, ignored] : value.items()) {
    bool known = false;
    for (const Member& m : members) known = known || name == m.name;
    if (!known) refuse(where, "'" + name + "' is unknown");
  }
}

const std::vector<Member> suite_members = {{"name", Type::text, true},          {"kind", Type::text, true},
                                           {"what", Type::text, true},          {"levin", Type::text, true},
                                           {"how_to_replay", Type::text, true}, {"inputs", Type::object, true},
                                           {"expected", Type::object, true},    {"may_filter", Type::array, false}};
const std::vector<Member> case_members = {
    {"id", Type::text, true},         {"suite", Type::text, true},    {"source", Type::text, true},
    {"provenance", Type::text, true}, {"inputs", Type::object, true}, {"expected", Type::object, true},
    {"levin", Type::object, false},   {"notes", Type::text, false},   {"upstream_error", Type::object, false}};
const std::vector<Member> levin_members = {{"deviates", Type::boolean, true}, {"why", Type::text, true}};

SuiteInfo read_suite(const json& value, const std::string& where) {
  check_members(value, suite_members, where);
  SuiteInfo suite{value.at("name"), value.at("kind"), {}};
  if (suite.kind != "run" && suite.kind != "pure") refuse(where, "kind '" + suite.kind + "' is not run or pure");
  for (const json& name : value.value("may_filter", json::array())) {
    if (!name.is_string()) refuse(where, "may_filter holds something that is no text");
    suite.may_filter.push_back(name);
  }
  return suite;
}

Case read_case(const json& value, const std::string& where) {
  check_members(value, case_members, where);
  Case out{value.at("id"), value.at("suite"), value.at("inputs"), value.at("expected"), false, "", {}, {}};
  if (!value.contains("levin")) return out;
  check_members(value.at("levin"), levin_members, where + ".levin");
  out.deviates = value.at("levin").at("deviates");
  out.why = value.at("levin").at("why");
  return out;
}

}  // namespace

const SuiteInfo* CaseFile::suite(const std::string& name) const {
  for (const SuiteInfo& s : suites)
    if (s.name == name) return &s;
  return nullptr;
}

CaseFile read_case_file(const std::filesystem::path& path) {
  const std::string where = path.string();
  const std::string text = levin::core::read_file(path);
  const json file = json::parse(text, nullptr, false);
  if (file.is_discarded()) refuse(where, "is not JSON");
  if (!file.is_object()) refuse(where, "is not an object");
  if (file.value("schema_version", json()) != schema_version)
    refuse(where, "schema_version is not " + std::to_string(schema_version));
  for (const char* name : {"suites", "cases"})
    if (!file.contains(name) || !file.at(name).is_array()) refuse(where, std::string("'") + name + "' is no list");
  CaseFile out;
  std::set<std::string> ids;
  for (size_t i = 0; i < file.at("suites").size(); ++i)
    out.suites.push_back(read_suite(file.at("suites")[i], where + ": suite " + std::to_string(i)));
  const ordered_json written = ordered_json::parse(text);
  for (size_t i = 0; i < file.at("cases").size(); ++i) {
    out.cases.push_back(read_case(file.at("cases")[i], where + ": case " + std::to_string(i)));
    out.cases.back().written = written.at("cases")[i].at("inputs");
    if (const SuiteInfo* suite = out.suite(out.cases.back().suite)) out.cases.back().may_filter = suite->may_filter;
    if (!ids.insert(out.cases.back().id).second) refuse(where, "the id '" + out.cases.back().id + "' is there twice");
  }
  return out;
}

}  // namespace conformance
