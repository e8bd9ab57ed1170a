// Messages between driver and worker, the file of records, and packed tasks.
#include "tasks/common/frame.hpp"

#include <sys/socket.h>

#include <thread>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "tasks/common/record_file.hpp"
#include "temp_folder.hpp"

using namespace levin::core::tasks;
using levin::core::Descriptor;
using levin::core::Error;
using levin::core::SocketPair;

TEST_CASE("frames of any size arrive whole and in order") {
  SocketPair pair;
  FrameChannel channel(std::move(pair.ours));
  const int other = pair.theirs.get();
  channel.send({Message::handle, 2, 7, "data"});
  Frame frame;
  REQUIRE(read_frame(other, frame));
  CHECK((frame.kind == Message::handle && frame.attempt == 2 && frame.index == 7 && frame.bytes == "data"));

  const std::string large(3u << 20, 'x');
  std::thread writer([&] {
    for (const std::string& bytes : {std::string(), large, std::string("last")})
      write_frame(other, {Message::result, 1, bytes.size(), bytes});
    ::shutdown(other, SHUT_WR);
  });
  std::vector<Frame> got;
  while (channel.receive(got, 4u << 20)) std::this_thread::yield();
  writer.join();
  REQUIRE(got.size() == 3);
  CHECK((got[0].bytes.empty() && got[1].bytes == large && got[2].bytes == "last"));
}

TEST_CASE("output that does not fit into the socket is kept until it does") {
  SocketPair pair;
  FrameChannel channel(std::move(pair.ours));
  const std::string large(2u << 20, 'y');
  channel.send({Message::handle, 1, 1, large});
  CHECK(channel.has_output());
  Frame frame;
  std::thread reader([&] { read_frame(pair.theirs.get(), frame); });
  while (channel.has_output()) channel.flush();
  reader.join();
  CHECK(frame.bytes == large);
}

TEST_CASE("a frame that is too large, or of an unknown kind, ends the connection") {
  for (const Frame& frame :
       {Frame{Message::result, 1, 1, std::string(2000, 'x')}, Frame{static_cast<Message>(99), 1, 1, ""}}) {
    SocketPair pair;
    FrameChannel channel(std::move(pair.ours));
    write_frame(pair.theirs.get(), frame);
    std::vector<Frame> got;
    CHECK_FALSE(channel.receive(got, 1000));
    CHECK(got.empty());
  }
}

TEST_CASE("records are read back, and those after the end that was recorded are removed") {
  const TempFolder folder;
  const auto path = folder.path() / "records";
  Place first;
  {
    RecordFile file(path, 0);
    first = file.append("first");
    file.append(std::string("\0\n", 2));
    file.append("never recorded");
    file.sync();
  }
  RecordFile file(path, 7);
  CHECK(file.size() == 7);
  CHECK(file.read(first) == "first");
  CHECK(file.read({5, 2}) == std::string("\0\n", 2));
  CHECK(file.append("").size == 0);
  CHECK_THROWS_AS(file.read({5, 3}), Error);
  CHECK_THROWS_WITH(RecordFile(path, 100), ContainsSubstring("shorter than the ledger says"));
}

TEST_CASE("a task is packed with its name and weight") {
  const std::string bytes = packed_task({"a name", std::string_view("\0x", 2), 2.5});
  const TaskData task = unpacked_task(bytes);
  CHECK((task.name == "a name" && task.data == std::string_view("\0x", 2) && task.weight == 2.5));
  CHECK(unpacked_task(packed_task({})).data.empty());
  for (size_t n = 0; n < 22; ++n) CHECK_THROWS_AS(unpacked_task(std::string_view(bytes).substr(0, n)), Error);
}
