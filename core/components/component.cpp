#include "core/components/component.hpp"

#include <cstring>
#include <utility>

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

namespace {

ErrorCode code_of_kind(uint32_t kind) {
  switch (kind) {
    case LEVIN_KIND_DATA:
      return ErrorCode::data_module_failed;
    case LEVIN_KIND_CALLBACK:
      return ErrorCode::callback_failed;
    case LEVIN_KIND_LOGGER:
      return ErrorCode::logger_failed;
    case LEVIN_KIND_OPTIMIZER:
      return ErrorCode::optimizer_failed;
    default:
      return ErrorCode::model_failed;
  }
}

}  // namespace

// LEVIN_E_INVALID is a usage error if `create` returned it or if its text begins with an option (--...). A file that a
// data module cannot find or read is a data error. of_service: the failure of a service of the host that the plugin
// passed on, else internal_error. What a service refused for another reason than the call itself keeps its code.
ErrorCode Component::code_of(const char* call, levin_status status, const std::string& text,
                             ErrorCode of_service) const {
  const bool of_option = std::strcmp(call, "create") == 0 || text.compare(0, 2, "--") == 0;
  if (status == LEVIN_E_INVALID && of_option) return ErrorCode::plugin_refused_options;
  const bool of_data = schema().kind == LEVIN_KIND_DATA;
  if (of_data && status == LEVIN_E_NOT_FOUND) return ErrorCode::data_not_found;
  if (of_data && status == LEVIN_E_IO) return ErrorCode::data_damaged;
  if (is_out_of_memory(text)) return ErrorCode::out_of_memory;
  if (is_full_disk(text)) return ErrorCode::disk_full;
  if (of_service == ErrorCode::call_invalid) return ErrorCode::service_misused;
  switch (kind_of(of_service)) {
    case ErrorKind::run:
    case ErrorKind::data:
    case ErrorKind::checkpoint:
    case ErrorKind::non_finite:
      return of_service;
    default:
      return code_of_kind(schema().kind);
  }
}

Error Component::failure(const char* call, levin_status status) const {
  std::string text = std::move(plugin_failure());
  plugin_failure().clear();
  const std::string service = std::move(service_failure());
  service_failure().clear();
  if (text.empty()) text = service;
  const ErrorCode of_service = std::exchange(code_of_service_failure(), ErrorCode::internal_error);
  const bool is_said = !text.empty();
  if (!is_said) text = std::string("failed: ") + status_name(status);
  if (is_out_of_memory(text)) text += origin_.large;
  if (text.find("Expected more than 1 value per channel when training") != std::string::npos)
    text += "; batch norm trains on two rows or more: set --data.drop_last true, or another --data.batch_size";
  return Error(code_of(call, status, text, is_said ? of_service : ErrorCode::internal_error),
               origin_.plugin + ": " + origin_.instance + "." + call + ": " + text);
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
