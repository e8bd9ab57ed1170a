// The calls that the loggers of a run receive.
#include "core/logging/logger_list.hpp"

#include <algorithm>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "scripted_logger.hpp"

using namespace scripted_logger;

TEST_CASE("nothing but destroy is called after a begin or a load that failed") {
  for (const char* fails : {"begin", "load"}) {
    for (const uint64_t flags : {uint64_t{0}, uint64_t{LEVIN_F_OFF_THREAD}}) {
      Scripted first(flags), bad(flags), last(flags);
      bad.fails = fails;
      Warnings warnings;
      LoggerList list = list_of({&first, &bad, &last}, warnings);
      StateBag old;
      old.bytes()["id"] = "remote-6";
      const auto set_up = [&] {
        load_all(list, old, {});
        list.begin(begin_in("", 3));
      };
      CHECK_THROWS_WITH(set_up(), ContainsSubstring(std::string("liblog.so: second.") + fails));
      row(list, 1);
      CHECK(list.all()[1]->state().bytes().at("id") == "remote-6");  // a checkpoint of the failed run contains it
      list.finalize("failed", 60);
      INFO(fails);
      const bool begins = fails == std::string("begin");
      CHECK(bad.seen() == (begins ? Lines({"load", "begin"}) : Lines({"load"})));
      CHECK(last.seen() == (begins ? Lines({"load"}) : Lines()));
      CHECK(first.seen().back() == (begins ? "finalize failed" : "load"));
      CHECK(warnings.all().empty());
    }
  }
}

TEST_CASE("a logger that is left out keeps the state that it had") {
  Scripted scripted(0);
  scripted.fails = "metrics";
  Warnings warnings;
  LoggerList list = list_of({&scripted}, warnings);
  list.begin(begin_in(""));
  row(list, 1);
  list.flush();
  CHECK(list.all()[0]->state().bytes().count("id") == 1);
  list.finalize("success", 60);
  CHECK(scripted.seen() == Lines({"begin", "save", "metrics 1 m=1.0"}));
  Scripted cannot_save(0);
  LoggerList other = list_of({&cannot_save}, warnings);
  other.begin(begin_in(""));
  cannot_save.fails = "save";
  CHECK(other.all()[0]->state().bytes().count("id") == 1);  // the checkpoint is still saved
  CHECK_THAT(warnings.all().back(), ContainsSubstring("log.save") && ContainsSubstring("is skipped"));
}

TEST_CASE("media and artifacts that no logger takes are told of once") {
  Scripted scripted(0);
  scripted.table.media = nullptr;
  scripted.table.artifact = nullptr;
  Warnings warnings;
  LoggerList list = list_of({&scripted}, warnings);
  list.begin(begin_in(""));
  for (int i = 0; i < 2; ++i) {
    list.media({sizeof(levin_media), 0, "text", "notes", 0, nullptr, "hello", nullptr, 0});
    list.artifact({sizeof(levin_artifact), 0, "/tmp/x", "x", nullptr});
  }
  CHECK(warnings.all() == Lines({"no logger of this run supports media: text 'notes' is not saved",
                                 "no logger of this run supports artifacts: /tmp/x is not saved"}));
}
