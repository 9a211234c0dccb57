// SPDX-License-Identifier: Apache-2.0
#include "host_driver/fio/variables.h"

#include <fmt/format.h>

#include <cctype>
#include <cstdlib>
#include <string_view>

#include "host_driver/base/user_error.h"
#include "host_driver/fio/units.h"

namespace nvmearb::host::fio {
namespace {

// sum = product { (+|-) product }; product = factor { (*|/) factor }; factor = number | ( sum ).
class Calculator {
 public:
  Calculator(const RawOption& option, std::string_view text) : option_(option), text_(text) {}

  std::int64_t Run() {
    const std::int64_t value = Sum();
    SkipBlanks();
    if (at_ != text_.size()) Fail();
    if (value < 0) BadValue(option_, fmt::format("the expression is {}", value), "0 or more");
    return value;
  }

 private:
  [[noreturn]] void Fail() const {
    BadValue(option_, fmt::format("cannot calculate '{}'", text_),
             "whole numbers with + - * / and parentheses");
  }
  void SkipBlanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool Take(char c) {
    SkipBlanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::int64_t Sum() {
    std::int64_t value = Product();
    for (;;) {
      std::int64_t result = 0;
      if (Take('+')) {
        if (__builtin_add_overflow(value, Product(), &result)) Fail();
      } else if (Take('-')) {
        if (__builtin_sub_overflow(value, Product(), &result)) Fail();
      } else {
        return value;
      }
      value = result;
    }
  }
  std::int64_t Product() {
    std::int64_t value = Factor();
    for (;;) {
      if (Take('*')) {
        std::int64_t result = 0;
        if (__builtin_mul_overflow(value, Factor(), &result)) Fail();
        value = result;
      } else if (Take('/')) {
        const std::int64_t divisor = Factor();
        if (divisor == 0) BadValue(option_, "division by zero", "");
        value /= divisor;
      } else {
        return value;
      }
    }
  }
  std::int64_t Factor() {
    if (Take('(')) {
      const std::int64_t value = Sum();
      if (!Take(')')) Fail();
      return value;
    }
    SkipBlanks();
    const std::size_t first = at_;
    std::int64_t value = 0;
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) {
      if (__builtin_mul_overflow(value, std::int64_t{10}, &value) ||
          __builtin_add_overflow(value, std::int64_t{text_[at_] - '0'}, &value)) {
        Fail();
      }
      ++at_;
    }
    if (at_ == first) Fail();
    return value;
  }

  const RawOption& option_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string ExpandEnvironment(const std::string& text, const std::string& where,
                              const ParseContext& context) {
  std::string result;
  std::size_t at = 0;
  for (;;) {
    const std::size_t open = text.find("${", at);
    if (open == std::string::npos) return result + text.substr(at);
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) {
      throw UserError(where, fmt::format("'{}' has no closing brace", text.substr(open)),
                      "write ${NAME}");
    }
    const std::string name = text.substr(open + 2, close - open - 2);
    const char* value = context.environment ? context.environment(name) : std::getenv(name.c_str());
    if (value == nullptr) {
      throw UserError(where, fmt::format("environment variable {} is not set", name),
                      fmt::format("run with {}=value", name));
    }
    result += text.substr(at, open - at) + value;
    at = close + 1;
  }
}

std::string ExpandKeywords(const RawOption& option, const ParseContext& context) {
  struct Keyword {
    std::string_view name;
    std::uint64_t value;
  };
  const Keyword keywords[] = {{"$pagesize", context.page_size},
                              {"$mb_memory", context.memory_mb},
                              {"$ncpus", context.cpu_count}};
  std::string text = option.value;
  bool replaced = false;
  for (const Keyword& keyword : keywords) {
    for (std::size_t at = text.find(keyword.name); at != std::string::npos;
         at = text.find(keyword.name)) {
      text.replace(at, keyword.name.size(), std::to_string(keyword.value));
      replaced = true;
    }
  }
  return replaced ? std::to_string(Calculator(option, text).Run()) : text;
}

}  // namespace nvmearb::host::fio
