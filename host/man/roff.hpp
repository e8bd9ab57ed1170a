// The text of a manual page, in the language man(7).
#pragma once
#include <string>

namespace levin::core {

class Page {
 public:
  // date: "2026-11-27".
  Page(const std::string& title, int section, const std::string& date);

  void name(const std::string& name, const std::string& summary);
  void section(const std::string& title);
  void subsection(const std::string& title);
  void paragraph(const std::string& text);
  // A line of a synopsis: the words of the command, then its arguments.
  void synopsis(const std::string& command, const std::string& arguments);
  // An item of a list. name: "--config"; value: "FILE" or "".
  void item(const std::string& name, const std::string& value, const std::string& text);
  // The help of a command: lines that begin with two spaces and have a column of text are items.
  void help(const std::string& text);

  const std::string& text() const { return text_; }

 private:
  void flow(const std::string& text);
  std::string text_;
  bool begun_ = false;  // the section has text
};

}  // namespace levin::core
