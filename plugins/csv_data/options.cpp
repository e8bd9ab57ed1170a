#include "options.hpp"

namespace csv_data {

Options::Options(const levin::Args& o)
    : file(o.text("file")),
      val_file(o.text("val_file")),
      test_file(o.text("test_file")),
      predict_file(o.text("predict_file")),
      types{o.flag("header"), o.text("target"),           o.text("task"), o.text("ignore"), o.text("categories"),
            o.text("group"),  o.text("damaged") != "stop"},
      delimiter(common::delimiter_of(o.text("delimiter"))),
      decimal_comma(o.flag("decimal_comma")),
      missing_texts(o.text("missing_texts")),
      missing{o.text("missing_numbers"), o.text("missing_categories")},
      damaged(o.text("damaged")),
      zeros(o.text("unknown_categories") == "zeros"),
      fit{o.text("normalize"), o.flag("normalize_target"), missing.numbers == "median", missing.categories == "own",
          static_cast<size_t>(o.integer("max_categories"))},
      test_fraction(o.number("test_fraction")),
      splitting(o, types.group.empty() ? "" : "--data.group " + types.group) {
  splitting.refuse_beside_own(val_file.empty() ? "" : "--data.val_file " + val_file,
                              test_file.empty() ? "" : "--data.test_file " + test_file, test_fraction);
}

}  // namespace csv_data
