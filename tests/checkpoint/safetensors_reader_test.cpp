#include "core/checkpoint/container/safetensors_reader.hpp"

#include <sys/stat.h>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/checkpoint/container/format.hpp"
#include "tests/checkpoint/sample.hpp"

using namespace levin::core;

namespace {

std::string with_length(uint64_t length, const std::string& rest) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(length >> (8 * i) & 0xff);
  return bytes + rest;
}

std::string file_of(const std::string& header, size_t data_bytes) {
  return with_length(header.size(), header + std::string(data_bytes, '\1'));
}

SafetensorsReader read(const std::string& bytes, SafetensorsMode mode = SafetensorsMode::reference) {
  return SafetensorsReader(bytes, "x.safetensors", mode);
}

// Returns a Levin checkpoint with the given parts and a valid header checksum.
std::string levin_file(const std::string& metadata, const std::string& tensors, size_t data_bytes) {
  std::string header(header_mark);
  header += std::string(checksum_length, '0') + "\"" + metadata + "}" + tensors + "}";
  header.resize((header.size() + 8 + 63) / 64 * 64 - 8, ' ');
  std::string bytes = with_length(header.size(), header);
  bytes.replace(header_checksum_at, checksum_length, header_checksum(bytes));
  return bytes + std::string(data_bytes, '\0');
}

const std::string one = R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})";

// Returns a file with one tensor of the given description.
std::string tensor_file(const std::string& info, size_t data_bytes) {
  return file_of(R"({"a":{)" + info + "}}", data_bytes);
}

struct BadFile {
  const char* name;
  std::string bytes;
  const char* message;
};
void check_refused(const std::vector<BadFile>& files) {
  for (const BadFile& file : files) {
    CAPTURE(file.name, file.message);
    CHECK_THROWS_WITH(read(file.bytes), ContainsSubstring(file.message) && ContainsSubstring("x.safetensors: "));
  }
}

}  // namespace

TEST_CASE("files of other programs that the reference reader takes are taken") {
  struct Row {
    const char* header;
    size_t data_bytes, tensors;
  };
  const Row rows[] = {
      {"{}", 0, 0},
      {"{}      ", 0, 0},
      {"\t\r\n {} \t\r\n", 0, 0},
      {R"({"__metadata__":{"framework":"pt"}})", 0, 0},
      {R"({"__metadata__":null})", 0, 0},
      {R"({"__metadata__":{}})", 0, 0},
      {R"({"":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4, 1},
      {R"({"a":{"dtype":"I32","shape":[2,2],"data_offsets":[0,16]}})", 16, 1},
      {R"({"a":{"data_offsets":[0,16],"shape":[2,2],"dtype":"I32"}})", 16, 1},
      {R"({"scalar":{"dtype":"F64","shape":[],"data_offsets":[0,8]}})", 8, 1},
      {R"({"zero":{"dtype":"I32","shape":[2,0],"data_offsets":[0,0]}})", 0, 1},
      {R"({"zero":{"dtype":"F16","shape":[0],"data_offsets":[0,0]},"z":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})",
       0, 2},
      {R"({"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})",
       3, 2},
      {R"({"a":{"dtype":"F4","shape":[2],"data_offsets":[0,1]}})", 1, 1},
      {R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"more":{"x":[1,-2.5,null,{"y":"z"}]}}})", 1, 1},
  };
  for (const Row& row : rows) {
    CAPTURE(row.header);
    const SafetensorsReader reader = read(file_of(row.header, row.data_bytes));
    CHECK(reader.names().size() == row.tensors);
    CHECK_NOTHROW(reader.verify());
    CHECK_THROWS_WITH(read(file_of(row.header, row.data_bytes), SafetensorsMode::strict),
                      ContainsSubstring("not a checkpoint of this program"));
  }
}

TEST_CASE("another program's file that was cut off is told as such, not as a file that is no checkpoint") {
  const std::string whole = file_of(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 8);
  for (const size_t lost : {size_t{1}, size_t{8}, size_t{20}}) {
    INFO(lost);
    CHECK_THROWS_WITH(read(whole.substr(0, whole.size() - lost), SafetensorsMode::strict),
                      ContainsSubstring("not a readable safetensors file: ") && ContainsSubstring("it was cut off"));
  }
}

TEST_CASE("a header that is no JSON object is refused with what and where") {
  check_refused({
      {"header_too_small", "", "0 bytes, fewer than 8"},
      {"header_too_small", "<\0\0", "fewer than 8"},
      {"header_too_large", with_length(100'000'001, "{}"), "more than 100000000"},
      {"header_too_large", with_length(~0ull, "{}"), "more than 100000000"},
      {"invalid_header_length", with_length(3, "{}"), "was cut off"},
      {"invalid_header_non_utf8", file_of("\xff", 0), "byte 1"},
      {"invalid_header_non_utf8", file_of("{\"\xc0\xaf\":1}", 0), "not JSON"},
      {"invalid_header_not_json", file_of("{", 0), "not JSON"},
      {"empty_header", file_of("", 0), "not JSON"},
      {"nul", file_of(std::string("{}\0garbage", 10), 0), "byte 3"},
      {"byte_order_mark", file_of("\xef\xbb\xbf{}", 0), "byte 1"},
      {"text_behind", file_of("{}x", 0), "not JSON"},
      {"comment", file_of("/**/{}", 0), "not JSON"},
      {"array", file_of("[]", 0), "an array"},
      {"number", file_of("1", 0), "a number"},
      {"deep", tensor_file(R"("x":)" + std::string(200000, '['), 0), "nested too deeply"},
  });
}

TEST_CASE("tensors whose bytes do not follow one another, or do not fit their shapes, are refused") {
  const std::string a = R"({"a":)" + one;
  check_refused({
      {"metadata_incomplete_buffer", file_of(a + "}", 8), "holds 8 after the header"},
      {"metadata_incomplete_buffer", file_of(a + "}", 3), "holds 3 after the header"},
      {"invalid_info", tensor_file(R"("dtype":"F32","shape":[2,2],"data_offsets":[0,4])", 4), "its shape 16"},
      {"validation_overflow", tensor_file(R"("dtype":"U8","shape":[2,18446744073709551614],"data_offsets":[0,16])", 16),
       "2^64"},
      {"validation_overflow", tensor_file(R"("dtype":"F32","shape":[9223372036854775807],"data_offsets":[0,16])", 16),
       "2^64"},
      {"fp4_misaligned", tensor_file(R"("dtype":"F4","shape":[3],"data_offsets":[0,1])", 1), "whole bytes"},
      {"hole", tensor_file(R"("dtype":"U8","shape":[4],"data_offsets":[4,8])", 8), "ends at 0"},
      {"backwards", tensor_file(R"("dtype":"U8","shape":[0],"data_offsets":[4,0])", 0), "ends at 0"},
      {"backwards", tensor_file(R"("dtype":"U8","shape":[0],"data_offsets":[0,18446744073709551615])", 0),
       "its shape 0"},
      {"overlap", file_of(a + R"(,"b":)" + one + "}", 4), "ends at 4"},
  });
}

TEST_CASE("descriptions of tensors and metadata that are not in order are refused") {
  const std::string a = R"({"a":)" + one;
  check_refused({
      {"tensor_is_a_text", file_of(R"({"a":"b"})", 0), "'a' is a text"},
      {"tensor_is_null", file_of(R"({"a":null})", 0), "'a' is null"},
      {"unknown_dtype", tensor_file(R"("dtype":"F33","shape":[1],"data_offsets":[0,4])", 4),
       "unknown dtype 'F33'; known: BOOL"},
      {"negative_shape", tensor_file(R"("dtype":"U8","shape":[-1],"data_offsets":[0,4])", 4), "negative"},
      {"fraction", tensor_file(R"("dtype":"U8","shape":[4.0],"data_offsets":[0,4])", 4), "not whole"},
      {"too_large", tensor_file(R"("dtype":"U8","shape":[18446744073709551616],"data_offsets":[0,4])", 4), "too large"},
      {"one_offset", tensor_file(R"("dtype":"U8","shape":[4],"data_offsets":[4])", 4), "fewer than two"},
      {"three_offsets", tensor_file(R"("dtype":"U8","shape":[4],"data_offsets":[0,4,4])", 4), "more than two"},
      {"no_shape", tensor_file(R"("dtype":"U8","data_offsets":[0,4])", 4), "missing"},
      {"no_dtype", tensor_file(R"("shape":[4],"data_offsets":[0,4])", 4), "missing"},
      {"no_offsets", tensor_file(R"("dtype":"U8","shape":[4])", 4), "missing"},
      {"shape_nested", tensor_file(R"("dtype":"U8","shape":[[4]],"data_offsets":[0,4])", 4), "an array"},
      {"shape_twice", tensor_file(R"("dtype":"U8","shape":[4],"shape":[4],"data_offsets":[0,4])", 4), "twice"},
      {"tensor_twice", file_of(a + R"(,"a":)" + one + "}", 4), "'a' occurs twice"},
      {"metadata_twice", file_of(R"({"__metadata__":{},"__metadata__":{}})", 0), "twice"},
      {"metadata_key_twice", file_of(R"({"__metadata__":{"a":"1","a":"2"}})", 0), "twice"},
      {"metadata_number", file_of(R"({"__metadata__":{"a":1}})", 0), "'a' is a number, not a text"},
      {"metadata_nested", file_of(R"({"__metadata__":{"a":{}}})", 0), "an object, not a text"},
      {"terminal", file_of(R"({"\u001b[2J":1})", 0), R"('\u001b[2J' is a number)"},
  });
}

TEST_CASE("ten million claims on the same bytes are refused without much memory") {
  std::string header = "{";
  for (int i = 0; i < 20000; ++i)
    header += (i ? ",\"" : "\"") + std::to_string(i) + R"(":{"dtype":"U8","shape":[1000],"data_offsets":[0,1000]})";
  CHECK_THROWS_WITH(read(file_of(header + "}", 1000)), ContainsSubstring("the tensor before it ends at 1000"));
}

TEST_CASE("a file with the mark and the checksum of ours is still not trusted") {
  const std::string sum = R"(xxh3:99aa06d3014798d86001c324468d497f)";  // checksum of empty data
  const std::string t = R"({"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  const auto levin = [](const std::string& manifest) { return R"(,"levin.format":"1","levin":")" + manifest + "\""; };
  const std::string named = levin(R"({\"tensors\":{\"a\":\")" + sum + R"(\"}})");
  REQUIRE_NOTHROW(read(levin_file(named, ",\"a\":" + t, 0), SafetensorsMode::strict).verify());

  struct Row {
    const char* name;
    std::string bytes;
    const char* message;
  };
  const std::string deep = std::string(70, '[') + std::string(70, ']');
  const Row rows[] = {
      {"no format", levin_file("", "", 0), "none given; it reads '1'"},
      {"other format", levin_file(R"(,"levin.format":"2")", "", 0), "'2'; it reads '1'"},
      {"no manifest", levin_file(R"(,"levin.format":"1")", "", 0), "no manifest"},
      {"manifest no JSON", levin_file(levin("{"), "", 0), "manifest cannot be read"},
      {"manifest with NUL", levin_file(levin(R"({\"tensors\":{}}\u0000x)"), "", 0), "NUL"},
      {"manifest an array", levin_file(levin("[]"), "", 0), "not an object"},
      {"manifest deep", levin_file(levin(R"({\"tensors\":{},\"a\":)" + deep + "}"), "", 0), "deeper than 64"},
      {"manifest key twice", levin_file(levin(R"({\"tensors\":{},\"a\":1,\"a\":2})"), "", 0), "'a' occurs twice"},
      {"no tensors", levin_file(levin("{}"), "", 0), "no tensors"},
      {"tensors an array", levin_file(levin(R"({\"tensors\":[]})"), "", 0), "no tensors"},
      {"checksum a number", levin_file(levin(R"({\"tensors\":{\"a\":1}})"), ",\"a\":" + t, 0), "no checksum"},
      {"checksum missing", levin_file(levin(R"({\"tensors\":{}})"), ",\"a\":" + t, 0), "'a' has no checksum"},
      {"tensor missing", levin_file(named, "", 0), "'a' of the manifest is not in the file"},
      {"pad named", levin_file(levin(R"({\"tensors\":{\"__pad__.0\":\"\"}})"), R"(,"__pad__.0":)" + t, 0),
       "not in the file"},
      {"pad too long",
       levin_file(levin(R"({\"tensors\":{}})"), R"(,"__pad__.0":{"dtype":"U8","shape":[64],"data_offsets":[0,64]})",
                  64),
       "one to 63"},
      {"pad not bytes",
       levin_file(levin(R"({\"tensors\":{}})"), R"(,"__pad__.0":{"dtype":"I8","shape":[6],"data_offsets":[0,6]})", 6),
       "one to 63"},
      {"name", levin_file(levin(R"({\"tensors\":{\"\":\"\"}})"), ",\"\":" + t, 0), "no name of a tensor"},
      {"unknown field", levin_file(named, R"(,"a":{"x":1,"dtype":"U8","shape":[0],"data_offsets":[0,0]})", 0),
       "unknown field 'x'"},
      {"metadata null", levin_file(R"(,"x":null)", "", 0), "null, not a text"},
      {"not aligned",
       levin_file(
           levin(R"({\"tensors\":{\"a\":\"\"}})"),
           R"(,"__pad__.0":{"dtype":"U8","shape":[6],"data_offsets":[0,6]},"a":{"dtype":"U8","shape":[1],"data_offsets":[6,7]})",
           7),
       "multiple of 64"},
      {"checksum wrong", levin_file(levin(R"({\"tensors\":{\"a\":\"xxh3:\"}})"), ",\"a\":" + t, 0),
       "does not have its checksum"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK_THROWS_WITH(read(row.bytes, SafetensorsMode::strict).verify(),
                      ContainsSubstring(row.message) && ContainsSubstring("x.safetensors: "));
  }
}

TEST_CASE("our own file is an ordinary one to the reference mode, pads and all") {
  const TempFolder temp;
  write_safetensors(temp / "a", sample_content());
  const SafetensorsReader reader(temp / "a", SafetensorsMode::reference);
  CHECK(reader.contains("model.weight"));
  CHECK(reader.contains("__pad__.0"));
  CHECK(reader.metadata().count("levin") == 1);
  CHECK(reader.manifest() == nlohmann::json::object());
}

TEST_CASE("a tensor that is not there is named, with the one that was meant") {
  const TempFolder temp;
  write_safetensors(temp / "a", sample_content());
  const SafetensorsReader reader(temp / "a");
  CHECK_THROWS_WITH(reader.tensor("model.wieght"), ContainsSubstring("did you mean 'model.weight'"));
}

TEST_CASE("what is no regular file is refused at once") {
  const TempFolder temp;
  REQUIRE(::mkfifo((temp / "fifo").c_str(), 0600) == 0);
  CHECK_THROWS_WITH(SafetensorsReader(temp / "fifo"), ContainsSubstring("not a regular file"));
  CHECK_THROWS_WITH(SafetensorsReader(temp.path()), ContainsSubstring("not a regular file"));
  CHECK_THROWS_WITH(SafetensorsReader(temp / "none"), ContainsSubstring("No such file"));
  spill(temp / "empty", "");
  CHECK_THROWS_WITH(SafetensorsReader(temp / "empty"), ContainsSubstring("0 bytes"));
}

TEST_CASE("a reader keeps its bytes while its path is written anew") {
  const TempFolder temp;
  SafetensorsContent content = sample_content();
  write_safetensors(temp / "a", content);
  const SafetensorsReader old(temp / "a");
  const float other[15] = {};
  content.tensors[0].data = other;
  write_safetensors(temp / "a", content);
  CHECK(static_cast<const float*>(old.tensor("model.weight").data)[1] == -1.5f);
  CHECK_NOTHROW(old.verify());
  CHECK(static_cast<const float*>(SafetensorsReader(temp / "a").tensor("model.weight").data)[1] == 0);
}
