#include "core/components/component.hpp"

#include <cstring>

#include "core/abi/failure.hpp"
#include "core/base/error.hpp"

namespace levin::core {

Component::Component(ComponentOrigin origin, const levin_object* table, void* self)
    : origin_(std::move(origin)), object_(table), self_(self) {}

Component::~Component() {
  if (!origin_.owned || !object_ || !object_->destroy) return;
  BreadcrumbScope scope(origin_.plugin.c_str(), "destroy");
  object_->destroy(self_);
}

bool Component::has_state() const { return LEVIN_HAS(levin_object, object_, save); }

void Component::save(const levin_writer& writer) {
  if (has_state()) invoke("save", [&] { return object_->save(self_, &writer); });
}

void Component::load(const levin_reader& reader) {
  if (LEVIN_HAS(levin_object, object_, load)) invoke("load", [&] { return object_->load(self_, &reader); });
}

const void* Component::extension(const char* id) const {
  if (!LEVIN_HAS(levin_object, object_, extension)) return nullptr;
  BreadcrumbScope scope(origin_.plugin.c_str(), "extension");
  return object_->extension(self_, id);
}

// LEVIN_E_INVALID is a usage error if `create` returned it or if its text begins with an option (--...). A file that a
// data module cannot find or read is a data error.
ErrorKind Component::kind_of(const char* call, levin_status status, const std::string& text) const {
  const bool of_option = std::strcmp(call, "create") == 0 || text.compare(0, 2, "--") == 0;
  if (status == LEVIN_E_INVALID && of_option) return ErrorKind::usage;
  const bool file = status == LEVIN_E_NOT_FOUND || status == LEVIN_E_IO;
  return file && schema().kind == LEVIN_KIND_DATA ? ErrorKind::data : ErrorKind::run;
}

Error Component::failure(const char* call, levin_status status) const {
  std::string text = std::move(plugin_failure());
  plugin_failure().clear();
  if (text.empty()) text = std::move(service_failure());
  service_failure().clear();
  if (text.empty()) text = std::string("failed: ") + status_name(status);
  if (is_out_of_memory(text)) text += origin_.large;
  return Error(kind_of(call, status, text), origin_.plugin + ": " + origin_.instance + "." + call + ": " + text);
}

void Component::fail(const char* call, levin_status status) const { throw failure(call, status); }

void Component::foreign_exception(const char* call) const {
  try {
    throw;
  } catch (const Error&) {
    throw;
  } catch (const std::exception& e) {
    plugin_failure() = std::string("let an exception cross the plugin's border: ") + brief(e);
  } catch (...) {
    plugin_failure() = "let something that is not an exception cross the plugin's border";
  }
  throw ForeignException(failure(call, LEVIN_E_EXCEPTION));
}

}  // namespace levin::core
