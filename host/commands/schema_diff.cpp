#include "host/commands/schema_diff.hpp"

#include <algorithm>

#include "core/base/text.hpp"
#include "core/config/option.hpp"

namespace levin::core {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

std::vector<std::string> without(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::string> out;
  for (const auto& x : a)
    if (!contains(b, x)) out.push_back(x);
  return out;
}

std::vector<std::string> claim_names(const ComponentSchema& c) {
  std::vector<std::string> out;
  for (const ClaimSchema& claim : c.claims) out.push_back("--trainer." + claim.name);
  return out;
}

std::string shown_default(const OptionSchema& o) {
  return o.flags & LEVIN_OPT_REQUIRED ? "no default" : "default " + o.deflt.dump();
}

class Comparison {
 public:
  std::vector<Change> plugins(const PluginSchema& before, const PluginSchema& after) {
    where_ = "plugin";
    text("id", before.id, after.id, false);
    text("version", before.version, after.version, false);
    text("ABI", abi(before), abi(after), false);
    text("LibTorch", before.torch, after.torch, false);
    text("license", before.license, after.license, false);
    for (const ComponentSchema& c : before.components)
      if (!successor(c, after)) add(named(c) + " is gone", true);
    for (const ComponentSchema& c : after.components) {
      const ComponentSchema* old = predecessor(c, before);
      where_ = "plugin";
      if (old)
        component(*old, c);
      else
        add(named(c) + " is new", false);
    }
    return std::move(changes_);
  }

 private:
  static std::string abi(const PluginSchema& p) {
    return std::to_string(p.abi_major) + "." + std::to_string(p.abi_minor);
  }
  static std::string named(const ComponentSchema& c) { return std::string(kind_name(c.kind)) + " " + c.id; }
  static bool follows(const ComponentSchema& old, const ComponentSchema& now) {
    return old.kind == now.kind && (old.id == now.id || contains(now.aliases, old.id));
  }
  static const ComponentSchema* successor(const ComponentSchema& old, const PluginSchema& in) {
    for (const ComponentSchema& c : in.components)
      if (follows(old, c)) return &c;
    return nullptr;
  }
  static const ComponentSchema* predecessor(const ComponentSchema& now, const PluginSchema& in) {
    for (const ComponentSchema& c : in.components)
      if (follows(c, now)) return &c;
    return nullptr;
  }

  void add(std::string what, bool breaks) { changes_.push_back({where_, std::move(what), breaks}); }
  void text(const std::string& what, const std::string& before, const std::string& after, bool breaks) {
    if (before != after) add(what + " " + before + " -> " + after, breaks);
  }
  void list(const std::string& what, const std::vector<std::string>& before, const std::vector<std::string>& after,
            bool breaks) {
    const auto gone = without(before, after), added = without(after, before);
    if (!gone.empty()) add(what + " gone: " + join(gone, ", "), breaks);
    if (!added.empty()) add(what + " new: " + join(added, ", "), false);
  }

  void component(const ComponentSchema& before, const ComponentSchema& after) {
    where_ = named(after);
    text("id, with an alias,", before.id, after.id, false);
    text("version", before.version, after.version, false);
    text("it takes states since version", before.state_since, after.state_since, false);
    list("hooks", hook_names(before), hook_names(after), false);
    list("flags", flag_names(before), flag_names(after), false);
    list("aliases", before.aliases, after.aliases, true);
    list("trainer options that it serves", claim_names(before), claim_names(after), true);
    if (before.defaults != after.defaults) text("it recommends", before.defaults.dump(), after.defaults.dump(), false);
    for (const OptionSchema& o : before.options) removed_option(o, after);
    for (const OptionSchema& o : after.options) option(find(before, o), o);
  }

  // Returns the matching option of the other description, also under a former name, or nullptr.
  static const OptionSchema* find(const ComponentSchema& in, const OptionSchema& like) {
    for (const OptionSchema& o : in.options)
      if (o.name == like.name) return &o;
    for (const OptionSchema& o : in.options)
      if (contains(like.aliases, o.name)) return &o;
    return nullptr;
  }
  void removed_option(const OptionSchema& old, const ComponentSchema& after) {
    if (find(after, old)) return;
    for (const OptionSchema& o : after.options)
      if (contains(o.aliases, old.name))
        return add("option '" + old.name + "' is '" + o.name + "' now, its former name is known", false);
    add("option '" + old.name + "' is gone", true);
  }

  void option(const OptionSchema* before, const OptionSchema& after) {
    const std::string name = "option '" + after.name + "'";
    if (!before) {
      const bool required = (after.flags & LEVIN_OPT_REQUIRED) != 0;
      return add(name + " is new: " + describe_type(after) + ", " + shown_default(after), required);
    }
    if (before->type != after.type || describe_type(*before) != describe_type(after))
      add(name + ": " + describe_type(*before) + " -> " + describe_type(after), takes_less(*before, after));
    text(name + ":", shown_default(*before), shown_default(after), false);
    if (before->deprecated.empty() && !after.deprecated.empty())
      add(name + " is deprecated: " + after.deprecated, false);
  }

  // Returns true if a value that was valid may now be invalid.
  static bool takes_less(const OptionSchema& before, const OptionSchema& after) {
    const bool widened = before.type == LEVIN_T_INT && after.type == LEVIN_T_FLOAT;
    if (before.type != after.type && !widened) return true;
    if ((before.flags & LEVIN_OPT_NULLABLE) && !(after.flags & LEVIN_OPT_NULLABLE)) return true;
    if (!after.choices.empty() && !without(before.choices, after.choices).empty()) return true;
    if (after.min > after.max) return false;  // unbounded
    return before.min > before.max || before.min < after.min || before.max > after.max;
  }

  std::string where_;
  std::vector<Change> changes_;
};

}  // namespace

std::vector<std::string> hook_names(const ComponentSchema& c) {
  std::vector<std::string> out;
  for (uint32_t hook = 0; hook < 64 * LEVIN_HOOK_WORDS; ++hook)
    if (c.hooks[hook / 64] & LEVIN_BIT(hook))
      out.push_back(hook_name(hook) ? hook_name(hook) : "hook " + std::to_string(hook));
  return out;
}

std::vector<std::string> flag_names(const ComponentSchema& c) {
  std::vector<std::string> out;
  for (uint32_t bit = 0; bit < 64; ++bit)
    if (c.flags & LEVIN_BIT(bit))
      out.push_back(flag_name(LEVIN_BIT(bit)) ? flag_name(LEVIN_BIT(bit)) : "flag " + std::to_string(bit));
  return out;
}

std::vector<Change> schema_changes(const PluginSchema& before, const PluginSchema& after) {
  return Comparison().plugins(before, after);
}

}  // namespace levin::core
