#include "levin/callback.hpp"

#include "catch.hpp"
#include "levin/testing.hpp"

using levin::testing::Component;
using levin::testing::FakeHost;

namespace {

struct Probe : levin::Callback {
  static constexpr levin_option options[] = {
      levin::integer("n", "3", "a number", 0, 10),
      levin::text("t", "\"a \\\"b\\\"\"", "a text"),
      levin::with(levin::number("x", "null", "perhaps a number"), LEVIN_OPT_NULLABLE),
      levin::flag("f", "true", "a flag"),
      levin::required(levin::text("must", nullptr, "has to be given")),
  };
  static constexpr uint64_t flags = LEVIN_F_LAST;
  explicit Probe(const levin::Args& args) : n(args.integer("n")), t(args.text("t")), x_is_null(args.is_null("x")) {
    if (args.text("must") == "no") throw std::runtime_error("must not be no");
  }
  void on_fit_start(const levin::Event& event) { event.run().print(t + " " + std::to_string(n) + " " + name()); }
  void on_fit_end() { throw levin::Error(LEVIN_E_IO, "no disk"); }
  void on_train_start(levin::Stage stage) { seen = static_cast<int>(stage); }
  levin::Status on_train_batch_start() { return LEVIN_SKIP; }
  levin::Status on_train_batch_end(const levin::Event& event) { return event.batch_idx() == 1 ? LEVIN_STOP : LEVIN_OK; }
  void on_exception() { throw 42; }
  void save(levin::Writer writer) const { writer.put("seen", seen), writer.put("list", std::vector<double>{1, 2}); }
  void load(levin::Reader reader) {
    std::vector<double> list;
    if (!reader.get("list", list) || list.size() != 2) throw levin::Error(LEVIN_E_STATE, "no list");
    reader.get("seen", seen);
  }

  int64_t n;
  std::string t;
  bool x_is_null;
  int seen = -1;
};

struct Bare : levin::Callback {
  void on_epoch_end() { ++calls; }
  int calls = 0;
};

// Reads the option named by "read" with the accessor named by "by".
struct Reading : levin::Callback {
  static constexpr levin_option options[] = {
      levin::text("read", "\"\"", ""), levin::text("by", "\"\"", ""),
      levin::integer("n", "3", ""),    levin::number("x", "0.5", ""),
      levin::flag("f", "true", ""),    levin::json("j", "{}", ""),
      levin::path("p", "\"\"", ""),    levin::with(levin::number("perhaps", "null", ""), LEVIN_OPT_NULLABLE),
  };
  explicit Reading(const levin::Args& args) {
    const std::string name = args.text("read"), by = args.text("by");
    if (by == "integer") args.integer(name.c_str());
    if (by == "number") args.number(name.c_str());
    if (by == "flag") args.flag(name.c_str());
    if (by == "text") args.text(name.c_str());
    if (by == "duration") args.duration(name.c_str());
    if (by == "is_null") args.is_null(name.c_str());
  }
  void on_fit_start() {}
};

// Requests values that the host does not have, and logs or rethrows the errors.
struct Asking : levin::Callback {
  void on_fit_start(const levin::Event& event) {
    try {
      event.run().number("nothing");
    } catch (const levin::Error& e) {
      info(e.what());
    }
  }
  void on_fit_end(const levin::Event& event) { event.run().number("nothing"); }
};

const levin_component reading = levin::callback<Reading>("reading", "for tests");
const levin_component asking = levin::callback<Asking>("asking", "for tests");
const levin_component probe = levin::callback<Probe>("probe", "for tests");
const levin_component bare = levin::callback<Bare>("bare", "for tests");

}  // namespace

TEST_CASE("a callback declares the hooks that it has and nothing else") {
  CHECK(probe.hooks[0] == (LEVIN_BIT(LEVIN_HOOK_FIT_START) | LEVIN_BIT(LEVIN_HOOK_FIT_END) |
                           LEVIN_BIT(LEVIN_HOOK_TRAIN_START) | LEVIN_BIT(LEVIN_HOOK_TRAIN_BATCH_START) |
                           LEVIN_BIT(LEVIN_HOOK_TRAIN_BATCH_END) | LEVIN_BIT(LEVIN_HOOK_EXCEPTION)));
  CHECK(probe.hooks[1] == 0);
  CHECK(bare.hooks[0] == 0);
  CHECK(bare.hooks[1] == LEVIN_BIT(LEVIN_HOOK_EPOCH_END));
  CHECK(probe.flags == LEVIN_F_LAST);
  CHECK(probe.n_options == 5);
  CHECK(bare.n_options == 0);
}

TEST_CASE("a hook takes the event, the stage or nothing, and may say what comes next") {
  FakeHost host;
  Component callback(host, probe, {{"must", "yes"}, {"n", 7}}, "mine");
  CHECK(callback.send(LEVIN_HOOK_FIT_START) == LEVIN_OK);
  CHECK(host.printed.at(0) == "a \"b\" 7 mine");
  CHECK(callback.send(LEVIN_HOOK_TRAIN_BATCH_START) == LEVIN_SKIP);
  CHECK(callback.send_batch(LEVIN_HOOK_TRAIN_BATCH_END, 0, 2) == LEVIN_OK);
  CHECK(callback.send_batch(LEVIN_HOOK_TRAIN_BATCH_END, 1, 2) == LEVIN_STOP);
  CHECK(callback.send(LEVIN_HOOK_TEARDOWN) == LEVIN_OK);
}

TEST_CASE("what a plugin throws reaches the host as a status and a text") {
  FakeHost host;
  CHECK_THROWS_WITH(Component(host, probe, {{"must", "no"}}), "must not be no");
  Component callback(host, probe, {{"must", "yes"}});
  try {
    callback.send(LEVIN_HOOK_FIT_END);
    FAIL("no error");
  } catch (const levin::Error& e) {
    CHECK(e.status() == LEVIN_E_IO);
    CHECK(std::string(e.what()) == "no disk");
  }
  CHECK_THROWS_WITH(callback.send(LEVIN_HOOK_EXCEPTION), ContainsSubstring("not a std::exception"));
}

TEST_CASE("state goes through the checkpoint") {
  FakeHost host;
  Component first(host, probe, {{"must", "yes"}});
  first.send(LEVIN_HOOK_TRAIN_START, levin::Stage::validate);
  const auto state = first.save();
  Component second(host, probe, {{"must", "yes"}});
  second.load(state);
  CHECK(second.save().bytes == state.bytes);
  CHECK_THROWS_WITH(second.load({}), "no list");
}

TEST_CASE("a state is read as the type that it was put as, or not at all") {
  std::map<std::string, std::string> kept;
  levin_writer writer{};
  writer.ctx = &kept;
  writer.put = [](const levin_writer* w, const char* key, const void* data, size_t n) -> levin_status {
    (*static_cast<decltype(kept)*>(w->ctx))[key] = std::string(static_cast<const char*>(data), n);
    return LEVIN_OK;
  };
  levin_reader reader{};
  reader.ctx = &kept;
  reader.get = [](const levin_reader* r, const char* key, const void** data, size_t* n) -> levin_status {
    const auto& all = *static_cast<decltype(kept)*>(r->ctx);
    const auto found = all.find(key);
    if (found == all.end()) return LEVIN_E_NOT_FOUND;
    *data = found->second.data(), *n = found->second.size();
    return LEVIN_OK;
  };
  const levin::Writer out(&writer);
  const levin::Reader in(&reader);
  out.put("count", int64_t{7});
  out.put("raw", "12345678", 8);
  std::string text;
  double number = 0;
  int64_t count = 0;
  std::vector<int64_t> counts;
  CHECK_THROWS_WITH(in.get("count", text), "the state 'count' was put as int64, and is read as text");
  CHECK_THROWS_WITH(in.get("count", number), "the state 'count' was put as int64, and is read as float64");
  CHECK_THROWS_WITH(in.get("count", counts), "the state 'count' was put as int64, and is read as a list of int64");
  CHECK((in.get("count", count) && count == 7));
  CHECK(in.get("raw", count));  // raw bytes have no type
  CHECK_FALSE(in.get("other", count));
  out.put("count", "seven");
  CHECK((in.get("count", text) && text == "seven"));
  kept.erase("#count");  // as saved by an older release
  CHECK_THROWS_WITH(in.get("count", number), "the state 'count' has 5 bytes, and is read as float64");
  for (const char* key : {"", "#count"})
    CHECK_THROWS_WITH(out.put(key, count), ContainsSubstring("the key of a state is"));
}

TEST_CASE("an option is read by the accessor of its type") {
  FakeHost host;
  const auto read = [&](const char* name, const char* by) { Component(host, reading, {{"read", name}, {"by", by}}); };
  CHECK_THROWS_WITH(read("x", "integer"),
                    "option 'x' is declared as float: read it by Args::number, not by Args::integer");
  CHECK_THROWS_WITH(read("n", "text"), "option 'n' is declared as int: read it by Args::integer, not by Args::text");
  CHECK_THROWS_WITH(read("n", "flag"), ContainsSubstring("Args::integer, not by Args::flag"));
  CHECK_THROWS_WITH(read("f", "integer"), ContainsSubstring("declared as bool: read it by Args::flag"));
  CHECK_THROWS_WITH(read("p", "number"), ContainsSubstring("declared as path: read it by Args::text"));
  CHECK_THROWS_WITH(read("x", "duration"), ContainsSubstring("Args::number, not by Args::duration"));
  CHECK_THROWS_WITH(read("perhaps", "text"), ContainsSubstring("declared as float: read it by Args::number"));
  for (const char* by : {"integer", "number", "flag", "text", "duration", "is_null"})
    CHECK_THROWS_WITH(read("m", by),
                      "the component declares no option 'm'; it declares: read, by, n, x, f, j, p, perhaps");
  CHECK_NOTHROW(read("n", "number"));
  CHECK_NOTHROW(read("perhaps", "number"));
  for (const char* name : {"p", "j", "read"}) CHECK_NOTHROW(read(name, "text"));
}

TEST_CASE("an error that a plugin catches says why the host refused") {
  FakeHost host;
  Component callback(host, asking);
  callback.send(LEVIN_HOOK_FIT_START);
  host.reason = "the trainer has no number 'nothing'";
  callback.send(LEVIN_HOOK_FIT_START);
  REQUIRE(host.messages.size() == 2);
  CHECK(host.messages[0].second == "nothing");
  CHECK(host.messages[1].second == "nothing: the trainer has no number 'nothing'");
  CHECK_THROWS_WITH(callback.send(LEVIN_HOOK_FIT_END), "nothing: the trainer has no number 'nothing'");
  host.reason = "nothing of that name";
  CHECK_THROWS_WITH(callback.send(LEVIN_HOOK_FIT_END), "nothing of that name");
}

TEST_CASE("LEVIN_LOG_INIT is what log has by default") {
  const levin_log c = LEVIN_LOG_INIT;
  const levin_log cpp = levin::detail::log_arguments(nullptr, {});
  CHECK(std::memcmp(&c, &cpp, sizeof c) == 0);
  auto* group = reinterpret_cast<levin_group*>(uintptr_t{8});
  const levin_log in_group = levin::detail::log_arguments("m", levin::on_epoch | levin::sync_dist_group(group));
  CHECK(in_group.sync_dist == 1);
  CHECK(in_group.sync_dist_group == group);
}
