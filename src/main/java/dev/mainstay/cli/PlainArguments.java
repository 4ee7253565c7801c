package dev.mainstay.cli;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Arguments that need no picocli to be understood: options that have one value and stand once, and
 * one word at most. Whatever else there may be is not understood here at all.
 */
final class PlainArguments {
  private static final String JSON = "--json";
  private static final String NUMBER = "\\d{1,9}";

  private final Map<String, String> values = new HashMap<>();
  private @Nullable String word;
  private boolean json;

  private PlainArguments() {}

  static Optional<PlainArguments> of(String[] args, int from, Set<String> valued) {
    PlainArguments found = new PlainArguments();
    Set<String> seen = new HashSet<>();
    for (int i = from; i < args.length; i++) {
      String arg = args[i];
      if (arg.startsWith("--") && !seen.add(arg)) return Optional.empty();
      if (arg.equals(JSON)) found.json = true;
      else if (valued.contains(arg) && i + 1 < args.length && isPlain(args[i + 1]))
        found.values.put(arg, args[++i]);
      else if (isPlain(arg) && found.word == null) found.word = arg;
      else return Optional.empty();
    }
    return Optional.of(found);
  }

  /** Neither an option nor a file of arguments, and no sign for standard input. */
  private static boolean isPlain(String arg) {
    return !arg.isEmpty() && !arg.startsWith("-") && !arg.startsWith("@");
  }

  @Nullable String word() {
    return word;
  }

  boolean json() {
    return json;
  }

  @Nullable String value(String option) {
    return values.get(option);
  }

  /** Whether an option is not there or has a number that needs no thought. */
  boolean isNumber(String option) {
    String value = values.get(option);
    return value == null || value.matches(NUMBER);
  }

  @Nullable Integer number(String option) {
    String value = values.get(option);
    return value == null ? null : Integer.valueOf(value);
  }
}
