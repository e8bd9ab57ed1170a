// An instance of a plugin's component, with its function table. Negative statuses of its functions become Errors.
#pragma once
#include <string>

#include "core/abi/border_watch.hpp"
#include "core/abi/plugin_host.hpp"
#include "core/base/error.hpp"
#include "core/config/schema.hpp"

namespace levin::core {

// An exception that left the plugin, in place of a status.
class ForeignException : public Error {
 public:
  explicit ForeignException(const Error& error) : Error(error) {}
};

struct ComponentOrigin {
  std::string instance;           // the name that the user gave the instance
  std::string plugin;             // the plugin's file name
  const ComponentSchema* schema;  // lives as long as the run
  bool owned = true;              // false = the instance is destroyed elsewhere
  std::string large{};            // hint for out-of-memory errors: see plugin_set.cpp
};

// The result of a plugin's create function. The caller wraps it in a Component, which owns the instance.
struct Created {
  ComponentOrigin origin;
  const levin_object* table;
  void* self;
};

// Owns the instance, unless the origin says otherwise. It must be destroyed on the main thread.
class Component {
 public:
  Component(ComponentOrigin origin, const levin_object* table, void* self);
  ~Component();
  Component(const Component&) = delete;
  Component& operator=(const Component&) = delete;

  const std::string& instance() const { return origin_.instance; }
  const std::string& plugin() const { return origin_.plugin; }
  const ComponentSchema& schema() const { return *origin_.schema; }
  bool wants(uint32_t hook) const { return (origin_.schema->hooks[hook / 64] & LEVIN_BIT(hook)) != 0; }
  uint64_t flags() const { return origin_.schema->flags; }

  bool has_state() const;
  void save(const levin_writer& writer);
  void load(const levin_reader& reader);
  const void* extension(const char* id) const;  // nullptr = the component does not have it
  void* self() const { return self_; }

  // Calls f with a breadcrumb that names the plugin. Throws Error if f returns a negative status, and ForeignException
  // if an exception leaves the plugin. Returns any other status; unknown positive statuses become LEVIN_OK.
  template <class F>
  levin_status invoke(const char* call, F&& f) const {
    BreadcrumbScope scope(origin_.plugin.c_str(), call, origin_.instance.c_str());
    levin_status status;
    try {
      status = f();
    } catch (...) {
      foreign_exception(call);
    }
    if (BorderWatch* watch = border_watch()) watch->returned();
    if (status < 0) fail(call, status);
    return status <= LEVIN_SKIP_EPOCH ? status : LEVIN_OK;
  }
  [[noreturn]] void fail(const char* call, levin_status status) const;

 private:
  [[noreturn]] void foreign_exception(const char* call) const;
  Error failure(const char* call, levin_status status) const;
  ErrorCode code_of(const char* call, levin_status status, const std::string& text, ErrorCode of_service) const;
  ComponentOrigin origin_;
  const levin_object* object_;
  void* self_;
};

}  // namespace levin::core
