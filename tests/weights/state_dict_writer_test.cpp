#include "core/weights/state_dict_writer.hpp"

#include <map>
#include <vector>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/checkpoint/container/file_bytes.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"
#include "core/weights/pickle.hpp"
#include "core/weights/pickle_writer.hpp"
#include "core/weights/state_dict_file.hpp"
#include "core/weights/zip_archive.hpp"
#include "tests/weights/files.hpp"

using namespace levin::core;
using weights_test::golden;

namespace {

using Writer = void (*)(const std::string&, const NamedWeights&);

NamedWeights weights_of(const StateDictFile& file) {
  NamedWeights out;
  for (const std::string& name : file.names()) out[name] = file.tensor(name);
  return out;
}

std::string dense_bytes(const StoredTensor& tensor) {
  std::string out(tensor.bytes, '\0');
  copy_dense(tensor, out.data());
  return out;
}

std::string refusal(Writer write, const std::string& path, const NamedWeights& weights,
                    ErrorKind kind = ErrorKind::checkpoint) {
  try {
    write(path, weights);
    return "";
  } catch (const Error& e) {
    CHECK(e.kind() == kind);
    CHECK_THAT(e.what(), ContainsSubstring(path));
    return e.what();
  }
}

}  // namespace

TEST_CASE("what is written is read again, bit by bit, in both formats") {
  const TempFolder folder;
  const Writer writers[] = {write_torch_state_dict, write_plain_safetensors};
  for (const Writer write : writers)
    for (const char* name : {"odd-1.13.pt", "odd-2-legacy.pt", "state_dict-2.pt", "lightning-2.ckpt", "cpp-1.13.pt"}) {
      INFO(name);
      const StateDictFile from(golden(name));
      const std::string path = folder.write("out", "an older file");
      write(path, weights_of(from));
      const StateDictFile to(path);
      REQUIRE(to.names() == from.names());
      for (const std::string& tensor : from.names()) {
        INFO(tensor);
        CHECK(to.tensor(tensor).dtype == from.tensor(tensor).dtype);
        CHECK(to.tensor(tensor).shape == from.tensor(tensor).shape);
        CHECK(dense_bytes(to.tensor(tensor)) == dense_bytes(from.tensor(tensor)));
      }
      const std::string first = bytes_of(path);
      write(path, weights_of(from));
      CHECK(bytes_of(path) == first);
    }
}

TEST_CASE("every type of safetensors that PyTorch has is written for it, and the others are named") {
  const TempFolder folder;
  const char data[16] = "0123456789abcde";
  NamedWeights all;
  for (const auto& [code, bytes] : std::map<std::string, uint64_t>{{"F64", 8},
                                                                   {"I64", 8},
                                                                   {"U64", 8},
                                                                   {"C64", 8},
                                                                   {"F32", 4},
                                                                   {"I32", 4},
                                                                   {"U32", 4},
                                                                   {"F16", 2},
                                                                   {"BF16", 2},
                                                                   {"I16", 2},
                                                                   {"U16", 2},
                                                                   {"I8", 1},
                                                                   {"U8", 1},
                                                                   {"BOOL", 1},
                                                                   {"F8_E4M3", 1},
                                                                   {"F8_E5M2", 1}})
    all[code] = {code, {1}, {1}, data, bytes};
  const std::string path = folder.write("x.pt", "");
  write_torch_state_dict(path, all);
  const StateDictFile file(path);
  for (const auto& [code, tensor] : all) {
    INFO(code);
    CHECK(file.tensor(code).dtype == code);
    CHECK(dense_bytes(file.tensor(code)) == std::string(data, tensor.bytes));
  }
  CHECK_THAT(refusal(write_torch_state_dict, path, {{"a", {"F8_E8M0", {1}, {1}, data, 1}}}),
             ContainsSubstring("'a': PyTorch has no type for F8_E8M0"));
  CHECK(StateDictFile(path).names().size() == all.size());
}

TEST_CASE("an archive has PyTorch's members, and each begins at a multiple of 64 bytes") {
  const TempFolder folder;
  const std::string path = folder.write("x.pt", "");
  const StateDictFile from(golden("odd-1.13.pt"));
  write_torch_state_dict(path, weights_of(from));
  const FileBytes file(path);
  const ZipArchive zip(file);
  CHECK(zip.members().size() == from.names().size() + 3);
  CHECK(zip.content("archive/version") == "3\n");
  CHECK(zip.content("archive/byteorder") == "little");
  for (const auto& [name, member] : zip.members()) {
    INFO(name);
    CHECK(member.begin % 64 == 0);
    zip.content(name);
  }
}

TEST_CASE("plain safetensors have the format's name, no pads, and tensors aligned to their elements") {
  const TempFolder folder;
  const std::string path = folder.write("x.safetensors", "");
  const StateDictFile from(golden("odd-2.pt"));
  write_plain_safetensors(path, weights_of(from));
  CHECK_FALSE(looks_like_checkpoint(path));
  const SafetensorsReader file(path, SafetensorsMode::reference);
  CHECK(file.names() == from.names());
  CHECK(file.metadata() == std::map<std::string, std::string>{{"format", "pt"}});
  for (const std::string& name : file.names()) {
    const TensorView tensor = file.tensor(name);
    const uint64_t size = tensor.dtype == "F64" || tensor.dtype == "I64" ? 8 : tensor.dtype == "F32" ? 4 : 1;
    CHECK(reinterpret_cast<uintptr_t>(tensor.data) % size == 0);
  }
}

TEST_CASE("an archive of more members than its end can count has a zip64 directory") {
  const TempFolder folder;
  const std::string path = folder.write("x.zip", "");
  std::vector<ZipMember> members;
  for (int i = 0; i < 70000; ++i)
    members.push_back({"m/" + std::to_string(i), 1, [](const auto& write) { write("x", 1); }});
  write_zip(path, members);
  const FileBytes file(path);
  const ZipArchive zip(file);
  CHECK(zip.members().size() == 70000);
  CHECK(zip.content("m/69999") == "x");
}

TEST_CASE("integers of every size are written as they are") {
  for (const int64_t number : {int64_t{0}, int64_t{255}, int64_t{256}, int64_t{65535}, int64_t{65536}, int64_t{-1},
                               int64_t{2147483647}, int64_t{2147483648}, int64_t{1} << 40, -(int64_t{1} << 40)}) {
    PickleWriter writer;
    writer.integer(number);
    const Pickle pickle(writer.take());
    CHECK(pickle[pickle.root()].kind == PickleValue::Kind::integer);
    CHECK(pickle[pickle.root()].integer == number);
  }
}

TEST_CASE("a failed write leaves the file that was there") {
  const TempFolder folder;
  const std::string path = folder.write("x", "as it was");
  const char data[1] = {0};
  const NamedWeights bad = {{"\xff", {"U8", {1}, {1}, data, 1}}};
  CHECK_THAT(refusal(write_plain_safetensors, path, bad), ContainsSubstring("not UTF-8"));
  CHECK_THAT(refusal(write_torch_state_dict, path, bad), ContainsSubstring("not UTF-8"));
  CHECK(bytes_of(path) == "as it was");
  CHECK_THAT(refusal(write_torch_state_dict, "/no/such/x.pt", {{"a", {"U8", {1}, {1}, data, 1}}}, ErrorKind::run),
             ContainsSubstring("cannot make a file in /no/such"));
}
