// Each message is on one line, regardless of its length:
// clang-format off
#include "levin/logger.hpp"

// refused: a logger without members is never called: declare begin, metrics, media, after_save, flush or finalize
struct Empty : levin::Logger {};
auto empty = levin::logger<Empty>("", "");

// refused: the class derives privately from levin::Logger, so Levin cannot use it: write struct X : levin::Logger, or class X : public levin::Logger
class Privately : levin::Logger {
 public:
  void flush() {}
};
auto privately = levin::logger<Privately>("", "");

// refused: 'off_thread' is not what Levin reads by that name: declare it as static constexpr bool off_thread = true, or give it another name
struct MemberConstant : levin::Logger {
  bool off_thread = true;
  void flush() {}
};
auto member_constant = levin::logger<MemberConstant>("", "");

// refused: Levin never calls 'log_metrics': did you mean 'metrics'? Otherwise give it another name
struct Lightning : levin::Logger {
  void log_metrics(int64_t, const levin::Metrics&) {}
};
auto lightning = levin::logger<Lightning>("", "");

// refused: Levin never calls 'log_hyperparams': did you mean 'begin'? Otherwise give it another name
// refused: Levin never calls 'close': did you mean 'finalize'? Otherwise give it another name
struct Mixed : levin::Logger {
  void metrics(int64_t, const levin::Metrics&) {}
  void log_hyperparams() {}
  void close() {}
};
auto mixed = levin::logger<Mixed>("", "");

// refused: 'metrics' is private or protected, so Levin cannot call it: make it public, or give it another name
class Private : public levin::Logger {
  void metrics(int64_t, const levin::Metrics&) {}
};
auto is_private = levin::logger<Private>("", "");

// refused: 'metrics' is not what Levin calls by that name: declare it as void metrics(int64_t step, const levin::Metrics&)
struct Swapped : levin::Logger {
  void metrics(const levin::Metrics&, int64_t) {}
};
auto swapped = levin::logger<Swapped>("", "");

// refused: 'finalize' is overloaded or a template, so Levin cannot call it: declare it once, as void finalize(const std::string& status)
struct Overloaded : levin::Logger {
  void finalize() {}
  void finalize(const std::string&) {}
};
auto overloaded = levin::logger<Overloaded>("", "");

// refused: 'flush' is not what Levin calls by that name: declare it as void flush()
struct Status : levin::Logger {
  levin_status flush() { return LEVIN_OK; }
};
auto status = levin::logger<Status>("", "");

// refused: loggers have no hooks, so nobody would call 'on_fit_end': use begin, metrics or finalize, or write a callback
struct Hooked : levin::Logger {
  void metrics(int64_t, const levin::Metrics&) {}
  void on_fit_end() {}
};
auto hooked = levin::logger<Hooked>("", "");

// refused: 'load' without 'save': there would never be anything to read; declare a public void save(levin::Writer)
struct OnlyLoad : levin::Logger {
  void flush() {}
  void load(levin::Reader) {}
};
auto only_load = levin::logger<OnlyLoad>("", "");

// refused: 'url' is not what Levin calls by that name: declare it as std::string url()
struct Address : levin::Logger {
  void flush() {}
  void url(const std::string&) {}
};
auto address = levin::logger<Address>("", "");

// refused: 'after_save' is not what Levin calls by that name: declare it as void after_save(const levin::Saved&) or void after_save(const std::string& path)
struct Step : levin::Logger {
  void after_save(int64_t, const std::string&) {}
};
auto step = levin::logger<Step>("", "");

// refused: Levin never calls 'log_artifact': did you mean 'artifact'? Otherwise give it another name
struct Files : levin::Logger {
  void flush() {}
  void log_artifact(const std::string&) {}
};
auto files = levin::logger<Files>("", "");

// refused: Levin never calls 'finalise': did you mean 'finalize'? Otherwise give it another name
// refused: Levin never calls 'logMetrics': did you mean 'metrics'? Otherwise give it another name
struct British : levin::Logger {
  void logMetrics(int64_t, const levin::Metrics&) {}
  void finalise(const std::string&) {}
};
auto british = levin::logger<British>("", "");

// The following classes are accepted.
class Good : public levin::Logger {
 public:
  void begin(const levin::LoggerBegin&) {}
  void metrics(int64_t, levin::Metrics) {}
  void after_save(const char*) {}
  void finalize(std::string) { close(); }
  std::string url;

 private:
  void close() {}
  std::string hparams, artifact;
};
auto good = levin::logger<Good>("", "");
struct Whole : levin::Logger {
  void after_save(const levin::Saved&) {}
  void artifact(const levin::Artifact&) {}
  void hparams(std::string) {}
  const char* url() const { return nullptr; }
};
auto whole = levin::logger<Whole>("", "");
