#include "table_options.hpp"

namespace tables {

Options::Options(const levin::Args& o, const Names& names)
    : train(o.text(names.train)),
      val(o.text(names.val)),
      test(o.text(names.test)),
      predict(o.text(names.predict)),
      types{names.header,           o.text("target"),     o.text("task"),          o.text("ignore"),
            o.text("numbers"),      o.text("categories"), o.text("dates"),         o.text("group"),
            o.text("series"),       o.text("time"),       o.integer("window") > 0, o.text("damaged") != "stop",
            names.one_column_advice},
      windows(o),
      missing_texts(o.text("missing_texts")),
      missing{o.text("missing_numbers"), o.text("missing_categories")},
      damaged(o.text("damaged")),
      zeros(o.text("unknown_categories") == "zeros"),
      fit{o.text("normalize"), o.flag("normalize_target"), missing.numbers == "median", missing.categories == "own",
          static_cast<size_t>(o.integer("max_categories"))},
      splitting(
          o, types.group.empty() ? "" : "--data.group " + types.group,
          windows.shape.length > 0 && types.group.empty() ? common::Chosen::the_last : common::Chosen::at_random) {
  const auto given = [](const char* option, const std::string& value) {
    return value.empty() ? "" : "--data." + std::string(option) + " " + value;
  };
  splitting.take_own(given(names.val, val), given(names.test, test));
  if (windows.shape.length > 0) splitting.refuse_lists("a window needs neighbouring rows: leave it out");
}

}  // namespace tables
