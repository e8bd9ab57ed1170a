// What a call to a plugin throws.
#include "core/components/component.hpp"

#include <stdexcept>

#include "catch.hpp"

using namespace levin::core;

TEST_CASE("an exception that leaves a plugin has a type of its own, and a status has not") {
  ComponentSchema schema;
  schema.kind = LEVIN_KIND_CALLBACK;
  const Component component({"best", "libbest.so", &schema, false}, nullptr, nullptr);
  const auto thrown_by = [&](const auto& body) {
    try {
      component.invoke("create", body);
    } catch (const ForeignException& e) {
      CHECK_THAT(e.what(), ContainsSubstring("libbest.so: best.create: "));
      return true;
    } catch (const Error& e) {
      CHECK_THAT(e.what(), ContainsSubstring("libbest.so: best.create: "));
    }
    return false;
  };
  CHECK(thrown_by([]() -> levin_status { throw std::runtime_error("boom"); }));
  CHECK(thrown_by([]() -> levin_status { throw 7; }));
  CHECK_FALSE(thrown_by([]() -> levin_status { return LEVIN_E_EXCEPTION; }));
  CHECK_FALSE(thrown_by([]() -> levin_status { throw Error(ErrorKind::usage, "libbest.so: best.create: no"); }));
}
