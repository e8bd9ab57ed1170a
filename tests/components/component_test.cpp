// What a call to a plugin throws.
#include "core/components/component.hpp"

#include <stdexcept>

#include "catch.hpp"
#include "tests/loops/toy_net.hpp"

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
  CHECK_FALSE(thrown_by([]() -> levin_status { throw Error(ErrorCode::call_invalid, "libbest.so: best.create: no"); }));
}

TEST_CASE("a model whose table of Lightning 1.x has no size is refused") {
  ToyNet net;
  net.table.o.extension = [](void*, const char* id) -> const void* {
    static const levin_model_1x without_size{};
    return std::string(id) == "levin.model_1x/1" ? &without_size : nullptr;
  };
  CHECK_THROWS_WITH(net.model(), ContainsSubstring("libnet.so: model 'toy': levin_model_1x has the size 0") &&
                                     ContainsSubstring("set it to sizeof(levin_model_1x)"));
}
