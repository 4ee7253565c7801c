package dev.mainstay.rules;

import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the variables that the text of an expression reads, without compiling it. */
public final class VariableNames {
  private static final Set<String> WORDS = Set.of("true", "false", "null", "in");

  /** Text in quotes, or a name with what makes it a field before it or a function after it. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'"
              + "|(?<field>\\.\\s*)?(?<name>[A-Za-z_][A-Za-z0-9_]*)(?<call>\\s*\\()?|[0-9][0-9A-Za-z_]*");

  /** The first argument of a loop is a variable of the loop. */
  private static final Pattern LOOP =
      Pattern.compile(
          "\\.\\s*(?:all|exists|exists_one|filter|map)\\s*\\(\\s*([A-Za-z_][A-Za-z0-9_]*)\\s*,");

  private VariableNames() {}

  /** The names, sorted; those that a loop of the expression binds are left out. */
  public static Set<String> in(String expression) {
    Set<String> bound = new HashSet<>(WORDS);
    Matcher loops = LOOP.matcher(expression);
    while (loops.find()) bound.add(loops.group(1));
    Set<String> names = new TreeSet<>();
    Matcher tokens = TOKEN.matcher(expression);
    while (tokens.find()) {
      String name = tokens.group("name");
      boolean isVariable = tokens.group("field") == null && tokens.group("call") == null;
      if (name != null && isVariable && !bound.contains(name)) names.add(name);
    }
    return names;
  }
}
