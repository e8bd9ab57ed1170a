// Callbacks, loggers and streams, each of which breaks one rule of host check.
#include <levin/levin.hpp>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

namespace {

enum class Fault { none, crashes, hangs, exits, forgets, leaks, releases_twice };

template <Fault fault>
struct Counter : levin::Callback {
  static constexpr levin_option options[] = {levin::integer("step", "1", "what it counts by", 1, 3)};
  const int64_t step;
  int64_t count = 0;
  explicit Counter(const levin::Args& o) : step(o.integer("step")) {}

  void on_train_start() {
    if (fault == Fault::exits) std::exit(0);
  }
  void on_validation_end() {
    while (fault == Fault::hangs) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  void on_train_batch_end(const levin::Event& e) {
    count += step;
    if (fault == Fault::leaks || fault == Fault::releases_twice) host()->tensor_retain(host(), e.loss());
    for (int i = 0; fault == Fault::releases_twice && i < 2; ++i) host()->tensor_release(host(), e.loss());
  }
  void on_train_epoch_end() {
    if (fault == Fault::crashes) std::raise(SIGSEGV);
  }
  void save(levin::Writer out) const { out.put("count", count); }
  void load(levin::Reader in) {
    if (fault != Fault::forgets) in.get("count", count);
  }
};

// Logs its count. It saves the count, nothing, or the count at the end of the last epoch.
enum class Kept { all, none, epochs };
template <Kept kept>
struct Tally : levin::Callback {
  int64_t count = 0, at_epoch_end = 0;
  void on_train_batch_end(const levin::Event& e) { e.run().log("tally", static_cast<double>(++count)); }
  void on_train_epoch_end() { at_epoch_end = count; }
  void save(levin::Writer out) const {
    if (kept != Kept::none) out.put("count", kept == Kept::all ? count : at_epoch_end);
  }
  void load(levin::Reader in) {
    if (in.get("count", count)) at_epoch_end = count;
  }
};

// Has a count that it never logs. A resume does not restore the count.
struct Silent : levin::Callback {
  int64_t count = 0, resumed = 0;
  void on_train_batch_end() { ++count; }
  void save(levin::Writer out) const { out.put("count", count); }
  void load(levin::Reader in) { in.get("count", resumed); }
};

// Appends one row per step to the file.
struct Appender : levin::Logger {
  std::ofstream file;
  void begin(const levin::LoggerBegin& run) { file.open(run.run_dir + "/rows.txt", std::ios::app); }
  void metrics(int64_t step, const levin::Metrics&) { file << step << std::endl; }
};

template <Fault fault>
struct Listener : levin::Logger {
  int64_t rows = 0;
  void metrics(int64_t, const levin::Metrics&) { ++rows; }
  void media(const levin_media&) {
    if (fault == Fault::crashes) std::raise(SIGSEGV);
  }
  void save(levin::Writer out) const { out.put("rows", rows); }
  void load(levin::Reader in) {
    if (fault != Fault::forgets) in.get("rows", rows);
  }
};

template <Fault fault>
struct Stream : levin::DataModule {
  int64_t left = 3;
  std::vector<levin::Field> fields() { return {levin::input("x", levin::float32, {2})}; }
  int64_t rows(levin::Split split) { return split == levin::Split::train ? -1 : 0; }
  void rewind(levin::Split, int64_t) {
    if (fault != Fault::forgets) left = 3;
  }
  bool next(levin::Split, std::vector<levin_managed*>& out) {
    if (left-- <= 0) return false;
    out.push_back(levin::managed(std::vector<float>(8, 0.5f), {4, 2}));
    return true;
  }
};

template <Fault fault>
levin_component counter(const char* id) {
  return levin::callback<Counter<fault>>(id, "Counts batches");
}

}  // namespace

LEVIN_PLUGIN("levin.test.faulty_parts", "1.0.0", "Apache-2.0", counter<Fault::none>("none"),
             counter<Fault::crashes>("crashes"), counter<Fault::hangs>("hangs"), counter<Fault::exits>("exits"),
             counter<Fault::forgets>("forgets"), counter<Fault::leaks>("leaks"),
             counter<Fault::releases_twice>("releases_twice"),
             levin::callback<Tally<Kept::all>>("tally", "Logs a count"),
             levin::callback<Tally<Kept::none>>("forgetful_tally", "Logs a count"),
             levin::callback<Tally<Kept::epochs>>("tally_of_epochs", "Logs a count"),
             levin::callback<Silent>("silent", "Counts batches"), levin::logger<Appender>("appender", "Appends"),
             levin::logger<Listener<Fault::none>>("sound_logger", "Listens"),
             levin::logger<Listener<Fault::crashes>>("crashing_logger", "Listens"),
             levin::logger<Listener<Fault::forgets>>("forgetting_logger", "Listens"),
             levin::data_module<Stream<Fault::none>>("sound_stream", "Three batches"),
             levin::data_module<Stream<Fault::forgets>>("one_epoch", "Three batches, once"))
