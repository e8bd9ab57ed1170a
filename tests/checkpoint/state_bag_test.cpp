#include "core/abi/state_bag.hpp"

#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>

#include "catch.hpp"
#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/checkpoint/checkpoint_file.hpp"
#include "temp_folder.hpp"

using namespace levin::core;

namespace {

std::string get(const StateBag& bag, const char* key) {
  const levin_reader reader = bag.reader("1.0");
  const void* data = nullptr;
  size_t n = 0;
  if (reader.get(&reader, key, &data, &n) != LEVIN_OK) return "(none)";
  return std::string(static_cast<const char*>(data), n);
}

}  // namespace

TEST_CASE("a bag gives back what was put, as it was then") {
  StateBag bag;
  const levin_writer writer = bag.writer();
  char text[] = "one\0two";
  REQUIRE(writer.put(&writer, "text", text, sizeof text) == LEVIN_OK);
  REQUIRE(writer.put(&writer, "nothing", nullptr, 0) == LEVIN_OK);
  at::Tensor tensor = at::arange(6, at::kFloat).reshape({2, 3}).t();
  REQUIRE(writer.put_tensor(&writer, "tensor", borrow(tensor)) == LEVIN_OK);
  const at::Tensor before = tensor.clone();
  text[0] = 'X';
  tensor.zero_();
  CHECK(get(bag, "text") == std::string("one\0two", sizeof text));
  CHECK(get(bag, "nothing").empty());
  CHECK(get(bag, "other") == "(none)");
  const levin_reader reader = bag.reader("1.0");
  CHECK(std::string(reader.version) == "1.0");
  levin_tensor* handle = nullptr;
  REQUIRE(reader.get_tensor(&reader, "tensor", &handle) == LEVIN_OK);
  CHECK(at::equal(own(handle), before));
  CHECK(reader.get_tensor(&reader, "other", &handle) == LEVIN_E_NOT_FOUND);
}

TEST_CASE("the type of a value goes with the value, and is no value itself") {
  StateBag bag;
  const levin_writer writer = bag.writer();
  REQUIRE(writer.put(&writer, "n", "12345678", 8) == LEVIN_OK);
  REQUIRE(writer.put(&writer, "#n", "int64", 5) == LEVIN_OK);
  CHECK(get(bag, "#n") == "int64");
  CHECK(bag.bytes().size() == 1);
  REQUIRE(writer.put(&writer, "n", "text", 4) == LEVIN_OK);  // by a writer that does not set a type
  CHECK(get(bag, "#n") == "(none)");
  CHECK(writer.put(&writer, "#n", "\x01", 1) == LEVIN_E_INVALID);
}

TEST_CASE("bytes that are read as a tensor, a tensor that is read as bytes, and a state without a key are refused") {
  StateBag bag;
  const levin_writer writer = bag.writer();
  const levin_reader reader = bag.reader("1.0");
  const at::Tensor tensor = at::arange(6, at::kFloat).reshape({2, 3});
  REQUIRE(writer.put(&writer, "text", "four", 4) == LEVIN_OK);
  REQUIRE(writer.put_tensor(&writer, "tensor", borrow(tensor)) == LEVIN_OK);
  levin_tensor* handle = nullptr;
  CHECK(reader.get_tensor(&reader, "text", &handle) == LEVIN_E_STATE);
  CHECK(service_failure() == "the state 'text' was put as 4 bytes, and is read as a tensor");
  const void* data = nullptr;
  size_t n = 0;
  CHECK(reader.get(&reader, "tensor", &data, &n) == LEVIN_E_STATE);
  CHECK_THAT(service_failure(),
             ContainsSubstring("the state 'tensor' was put as a tensor of float32 [2, 3], and is read as"));
  for (const char* key : {"", static_cast<const char*>(nullptr)}) {
    CHECK(writer.put(&writer, key, "x", 1) == LEVIN_E_INVALID);
    CHECK(writer.put_tensor(&writer, key, borrow(tensor)) == LEVIN_E_INVALID);
    CHECK(reader.get(&reader, key, &data, &n) == LEVIN_E_INVALID);
  }
  CHECK_THAT(service_failure(), ContainsSubstring("the key of a state is null"));
}

TEST_CASE("what is put last under a key counts, also where one is a tensor and the other is not") {
  StateBag bag;
  const levin_writer writer = bag.writer();
  const at::Tensor tensor = at::arange(3);
  REQUIRE(writer.put(&writer, "a", "x", 1) == LEVIN_OK);
  REQUIRE(writer.put_tensor(&writer, "a", borrow(tensor)) == LEVIN_OK);
  CHECK(bag.bytes().empty());
  REQUIRE(writer.put(&writer, "a", "x", 1) == LEVIN_OK);
  CHECK(bag.tensors().empty());
}

TEST_CASE("bags with like keys keep apart in one file") {
  const TempFolder folder;
  StateBag one, other, empty;
  one.bytes()["key"] = "1";
  one.bytes()["none"] = "";
  one.types()["key"] = "text";
  one.tensors()["t"] = at::arange(3);
  other.bytes()["key"] = "2";
  CheckpointWriter file;
  file.put("callbacks.a", one);
  file.put("callbacks.a.b", other);
  file.put("callbacks.c", empty);
  file.write((folder.path() / "x.ckpt").string());
  const CheckpointReader reader((folder.path() / "x.ckpt").string());
  const StateBag first = reader.bag("callbacks.a"), second = reader.bag("callbacks.a.b");
  CHECK(get(first, "key") == "1");
  CHECK(get(first, "none").empty());
  CHECK(get(first, "#key") == "text");
  CHECK(reader.keys("callbacks.a") == std::vector<std::string>{"b.key", "key", "none", "t"});
  CHECK(reader.manifest().at("types").dump() == R"({"callbacks.a.key":"text"})");
  CHECK(get(second, "key") == "2");
  CHECK(at::equal(first.tensors().at("t"), at::arange(3)));
  CHECK(reader.bag("callbacks.c").empty());
}
