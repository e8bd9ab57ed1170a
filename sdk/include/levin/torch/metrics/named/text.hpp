// The named metrics of texts: predictions and as many references, in UTF-8. Every metric is of sums over the pairs.
// Without words in the references a rate of errors is infinite, or NaN without errors, as in torchmetrics.
#pragma once
#include <cmath>

#include "levin/torch/metrics/named/metric_of.hpp"
#include "levin/torch/metrics/named/sacre_tokens.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics {

using Texts = std::vector<std::string>;

struct NamedTextMetric {
  std::string name;  // as it is logged, after val_ or test_
  std::shared_ptr<Metric> metric;
  std::function<void(const Texts& predictions, const Texts& references)> update;
};

namespace named {

struct TextPair {
  const std::string &prediction, &reference;
};
using Sums = std::vector<double>;

class TextMetric : public Metric {
 public:
  using PairSums = Sums (*)(const MetricChoice&, const TextPair&);
  using Value = double (*)(const MetricChoice&, const Sums&);
  TextMetric(MetricChoice choice, PairSums sums, Value function)
      : Metric({{"sums", LEVIN_REDUCE_SUM, {}}}), choice_(std::move(choice)), sums_(sums), value_(function) {}
  void update(const Texts& predictions, const Texts& references) {
    if (predictions.size() != references.size())
      throw Error(LEVIN_E_INVALID, "a metric of texts has " + std::to_string(predictions.size()) + " predictions for " +
                                       std::to_string(references.size()) + " references");
    if (references.empty()) return;
    Sums all;
    for (size_t i = 0; i < references.size(); ++i) {
      const Sums each = sums_(choice_, {predictions[i], references[i]});
      all.resize(each.size());
      for (size_t k = 0; k < each.size(); ++k) all[k] += each[k];
    }
    merge(0, at::tensor(all, at::kDouble));
  }
  at::Tensor value() const override {
    if (empty()) return nothing();
    const at::Tensor sums = state(0).to(at::kCPU, at::kDouble).contiguous();
    const auto* first = sums.data_ptr<double>();
    return at::full({}, value_(choice_, Sums(first, first + sums.numel())), at::kDouble);
  }

 private:
  MetricChoice choice_;
  PairSums sums_;
  Value value_;
};

// M has sums(choice, pair) and, unless the value is the first sum over the second, value(choice, sums).
struct OfTexts {
  static void check(const MetricChoice&) {}
  static double value(const MetricChoice&, const Sums& sums) { return sums[0] / sums[1]; }
  template <class M>
  static NamedTextMetric made(const MetricChoice& choice) {
    M::check(choice);
    auto metric = std::make_shared<TextMetric>(choice, &M::sums, &M::value);
    return {choice.logged_name(), metric, [m = metric.get()](const Texts& predictions, const Texts& references) {
              m->update(predictions, references);
            }};
  }
};

inline double length_of(const Words& words) { return static_cast<double>(words.size()); }

struct wer : OfTexts {
  static Sums sums(const MetricChoice&, const TextPair& pair) {
    const Words wanted = words_of(pair.reference);
    return {static_cast<double>(edits_between(words_of(pair.prediction), wanted)), length_of(wanted)};
  }
};
struct cer : OfTexts {
  static Sums sums(const MetricChoice&, const TextPair& pair) {
    const Characters wanted = characters_of(pair.reference);
    return {static_cast<double>(edits_between(characters_of(pair.prediction), wanted)),
            static_cast<double>(wanted.size())};
  }
};
struct match_error_rate : OfTexts {
  static Sums sums(const MetricChoice&, const TextPair& pair) {
    const Words given = words_of(pair.prediction), wanted = words_of(pair.reference);
    return {static_cast<double>(edits_between(given, wanted)), std::max(length_of(given), length_of(wanted))};
  }
};
struct word_information_preserved : OfTexts {
  static Sums sums(const MetricChoice&, const TextPair& pair) {
    const Words given = words_of(pair.prediction), wanted = words_of(pair.reference);
    const double right =
        std::max(length_of(given), length_of(wanted)) - static_cast<double>(edits_between(given, wanted));
    return {right, length_of(given), length_of(wanted)};
  }
  static double value(const MetricChoice&, const Sums& sums) { return sums[0] / sums[1] * (sums[0] / sums[2]); }
};
struct word_information_lost : word_information_preserved {
  static double value(const MetricChoice& choice, const Sums& sums) {
    return 1 - word_information_preserved::value(choice, sums);
  }
};
struct edit_distance : OfTexts {
  static Sums sums(const MetricChoice&, const TextPair& pair) {
    return {static_cast<double>(edits_between(characters_of(pair.prediction), characters_of(pair.reference))), 1};
  }
};
struct exact_match : OfTexts {
  static Sums sums(const MetricChoice&, const TextPair& pair) {
    return {pair.prediction == pair.reference ? 1.0 : 0, 1};
  }
};

// 0 if no n-gram of any length is in both.
struct bleu : OfTexts {
  static void check(const MetricChoice& choice) { choice.number(0, 1, 100); }
  // The lengths of predictions and references, and of each n the n-grams in both and those of the predictions.
  static Sums sums_of(const MetricChoice& choice, const Words& given, const Words& wanted) {
    Sums out = {length_of(given), length_of(wanted)};
    for (size_t n = 1; n <= static_cast<size_t>(choice.numbers[0]); ++n) {
      const Grams grams = grams_of(given, wanted, n);
      out.insert(out.end(), {grams.found, grams.given});
    }
    return out;
  }
  static Sums sums(const MetricChoice& choice, const TextPair& pair) {
    return sums_of(choice, words_of(pair.prediction), words_of(pair.reference));
  }
  static double value(const MetricChoice& choice, const Sums& sums) {
    const double n = std::floor(choice.numbers[0]);
    double logs = 0;
    for (size_t i = 2; i < sums.size(); i += 2) {
      const double more = choice.word == "smooth" && i > 2 ? 1 : 0;
      if (sums[i] == 0) return 0;
      logs += std::log((sums[i] + more) / (sums[i + 1] + more)) / n;
    }
    return std::exp(logs) * (sums[0] > sums[1] ? 1 : std::exp(1 - sums[1] / sums[0]));
  }
};
struct sacre_bleu : bleu {
  static Sums sums(const MetricChoice& choice, const TextPair& pair) {
    return sums_of(choice, sacre_tokens(pair.prediction), sacre_tokens(pair.reference));
  }
};

// Characters without spaces, and words without the mark before or behind them. The n-grams of a reference that has none
// in common with its prediction are not counted, as in torchmetrics.
struct chrf : OfTexts {
  static void check(const MetricChoice& choice) {
    choice.number(0, 1, 100), choice.number(1, 0, 100), choice.number(2, 0, 1e6);
  }
  static Sums sums(const MetricChoice& choice, const TextPair& pair) {
    Sums out;
    add(out, letters(pair.prediction), letters(pair.reference), choice.numbers[0]);
    add(out, words_and_marks(pair.prediction), words_and_marks(pair.reference), choice.numbers[1]);
    if (value(choice, out) == 0)
      for (size_t i = 2; i < out.size(); i += 3) out[i] = 0;
    return out;
  }
  static double value(const MetricChoice& choice, const Sums& sums) {
    const double b = choice.numbers[2] * choice.numbers[2];
    double all = 0;
    for (size_t i = 0; i < sums.size(); i += 3) {
      const double precision = sums[i + 1] > 0 ? sums[i] / sums[i + 1] : 0;
      const double recall = sums[i + 2] > 0 ? sums[i] / sums[i + 2] : 0;
      all += (1 + b) * precision * recall / std::max(b * precision + recall, 1e-16);
    }
    return all / (static_cast<double>(sums.size()) / 3);
  }

 private:
  template <class Sequence>
  static void add(Sums& out, const Sequence& given, const Sequence& wanted, double longest) {
    for (size_t n = 1; n <= static_cast<size_t>(longest); ++n) {
      const Grams grams = grams_of(given, wanted, n);
      out.insert(out.end(), {grams.found, grams.given, grams.wanted});
    }
  }
  // Of white space, spaces are left out, and the rest at both ends, as in torchmetrics.
  static Characters letters(const std::string& text) {
    Characters all = characters_of(text);
    while (!all.empty() && is_white(all.back())) all.pop_back();
    all.erase(all.begin(), std::find_if_not(all.begin(), all.end(), is_white));
    all.erase(std::remove(all.begin(), all.end(), U' '), all.end());
    return all;
  }
  static Words words_and_marks(const std::string& text) {
    const auto is_mark = [](char32_t c) {
      return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
    };
    Words out;
    for (const Characters& word : words_of(text)) {
      const size_t n = word.size();
      const size_t cut = n > 1 && is_mark(word[n - 1]) ? n - 1 : n > 1 && is_mark(word[0]) ? 1 : n;
      out.push_back(word.substr(0, cut));
      if (cut < n) out.push_back(word.substr(cut));
    }
    return out;
  }
};

// The mean over the pairs. Words are of a to z, in lower case, and 0 to 9.
struct rouge_l : OfTexts {
  static Words words(const std::string& text) {
    Characters lower;
    for (const char32_t c : characters_of(text))
      lower += c >= 'A' && c <= 'Z' ? c + 32 : c == 0x130 ? U'i' : c == 0x212a ? U'k' : c;  // as Python's lower()
    return split_at(lower, [](char32_t c) { return !((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')); });
  }
  static Sums rate(const MetricChoice& choice, const Grams& of) {
    const double precision = of.given > 0 ? of.found / of.given : 0, recall = of.wanted > 0 ? of.found / of.wanted : 0;
    if (choice.word == "precision") return {precision, 1};
    if (choice.word == "recall") return {recall, 1};
    return {of.found > 0 ? 2 * precision * recall / (precision + recall) : 0, 1};
  }
  static Sums sums(const MetricChoice& choice, const TextPair& pair) {
    const Words given = words(pair.prediction), wanted = words(pair.reference);
    return rate(choice, {static_cast<double>(common_length(given, wanted)), length_of(given), length_of(wanted)});
  }
};
struct rouge1 : rouge_l {
  static Sums sums(const MetricChoice& choice, const TextPair& pair) {
    return rate(choice, grams_of(words(pair.prediction), words(pair.reference), 1));
  }
};
struct rouge2 : rouge_l {
  static Sums sums(const MetricChoice& choice, const TextPair& pair) {
    return rate(choice, grams_of(words(pair.prediction), words(pair.reference), 2));
  }
};

}  // namespace named
}  // namespace levin::metrics
#pragma GCC visibility pop
