#include "options.hpp"

#include "../common/csv_file.hpp"

namespace text {

Options::Options(const levin::Args& o)
    : file(o.text("file")),
      val_file(o.text("val_file")),
      test_file(o.text("test_file")),
      predict_file(o.text("predict_file")),
      classify(o.text("task") == "classification"),
      tokenizer(o.text("tokenizer")),
      max_vocabulary(static_cast<size_t>(o.integer("max_vocabulary"))),
      block_size(o.integer("block_size")),
      stride(o.is_null("stride") ? block_size : o.integer("stride")),
      max_length(o.integer("max_length")),
      pad_to_longest(o.text("padding") == "longest"),
      text_column(o.text("text_column")),
      label_column(o.text("label_column")),
      group(o.text("group")),
      delimiter(common::delimiter_of(o.text("delimiter"))),
      damaged(o.text("damaged")),
      splitting(o, group.empty() ? "" : "--data.group " + group) {
  splitting.take_own(val_file.empty() ? "" : "--data.val_file " + val_file,
                     test_file.empty() ? "" : "--data.test_file " + test_file);
  if (!classify) splitting.refuse_lists("a language model learns from running text: leave it out");
  if (!classify && (splitting.stratifies() || splitting.groups()))
    throw levin::Error(LEVIN_E_INVALID,
                       "--data.stratify and --data.group are for --data.task classification: the rows of a "
                       "language model have no class and no group");
  if (o.flag("lowercase") && tokenizer != "words")
    throw levin::Error(LEVIN_E_INVALID, "--data.lowercase true is for --data.tokenizer words, and it is " + tokenizer);
  if (o.flag("lowercase")) tokenizer = "words lowercase";
}

}  // namespace text
