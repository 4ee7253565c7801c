package dev.mainstay.domain;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * References to variables in texts: {@code {{file_paths.output_file}}}. Dots walk objects, a number
 * walks a list. A text that is one reference and nothing else becomes the variable's value with its
 * type; in a longer text the value stands as text, or as compact JSON if it is none.
 *
 * <p>Values may refer to other variables. Everything is resolved in one pass: what came out of a
 * variable is not searched for braces again.
 *
 * <p>A backslash takes the braces literally: <code>\{{name}}</code> is the text <code>{{name}}
 * </code>. Before braces a backslash itself is written twice. Braces that do not close in their
 * line, or hold nothing, are plain text.
 */
public final class References {
  public static final int RESOLVED_CHARS_MAX = 1_000_000;
  public static final int NAME_CHARS_MAX = 200;

  private static final Pattern BRACES =
      Pattern.compile(
          Phrase.of(
              "(?<escapes>\\\\*+)(?:\\{\\{[ \\t]*+(?<name>[^{}\\r\\n]{1,%d})\\}\\}|(?<open>\\{\\{))",
              NAME_CHARS_MAX + 50));

  private static final Pattern ANY_BRACES = Pattern.compile("(\\\\*+)\\{\\{");

  /** A stretch of a text: words as they stand, or the name that a reference gives. */
  record Part(String text, boolean reference) {}

  private References() {}

  /** A template that becomes exactly this text again, whatever braces stand in it. */
  public static String literal(String text) {
    return ANY_BRACES
        .matcher(text)
        .replaceAll(found -> Matcher.quoteReplacement(found.group(1).repeat(2) + "\\{{"));
  }

  /** The template with every reference replaced, or a refusal for the first that cannot be. */
  public static @Nullable Object resolve(@Nullable Object template, JsonObject variables) {
    return resolve(template, variables, null);
  }

  /** The same; a refusal says that the reference stands there, such as "step 2". */
  public static @Nullable Object resolve(
      @Nullable Object template, JsonObject variables, @Nullable String where) {
    return new ReferenceResolver(
            variables,
            problem -> {
              throw problem;
            })
        .resolve(template, where);
  }

  /** The names of all variables that the template itself refers to, in their order. */
  public static Set<String> names(@Nullable Object template) {
    Set<String> names = new LinkedHashSet<>();
    collect(template, names);
    return names;
  }

  private static void collect(@Nullable Object template, Set<String> names) {
    if (template instanceof String text) {
      for (Part part : parts(text)) if (part.reference()) names.add(part.text());
    } else if (template instanceof List<?> items) {
      for (Object item : items) collect(item, names);
    } else if (template instanceof JsonObject object) {
      for (Object value : object.asMap().values()) collect(value, names);
    }
  }

  /** A sentence for everything that is missing, circular or too large; empty if it resolves. */
  public static List<String> problems(@Nullable Object template, JsonObject variables) {
    return problems(template, variables, Integer.MAX_VALUE);
  }

  /** The same; only so many of the missing are told with names that are near, for that is work. */
  public static List<String> problems(
      @Nullable Object template, JsonObject variables, int nearMost) {
    Set<String> sentences = new LinkedHashSet<>();
    try {
      new ReferenceResolver(variables, problem -> sentences.add(problem.sentence()), nearMost)
          .resolve(template, null);
    } catch (Refusal tooLarge) {
      sentences.add(tooLarge.sentence());
    }
    return List.copyOf(sentences);
  }

  /** The name if the text is one reference and nothing else. */
  static @Nullable String wholly(String text) {
    if (!text.startsWith("{{")) return null;
    List<Part> parts = parts(text);
    return parts.size() == 1 && parts.get(0).reference() ? parts.get(0).text() : null;
  }

  static List<Part> parts(String text) {
    if (!text.contains("{{")) return List.of(new Part(text, false));
    List<Part> parts = new ArrayList<>();
    StringBuilder words = new StringBuilder();
    Matcher braces = BRACES.matcher(text);
    int from = 0;
    while (braces.find(from)) {
      words.append(text, from, braces.start());
      int escapes = braces.end("escapes") - braces.start();
      String name = braces.group("name") == null ? "" : braces.group("name").strip();
      boolean literal = escapes % 2 == 1;
      boolean reference = !literal && !name.isEmpty() && name.length() <= NAME_CHARS_MAX;
      // Backslashes before braces that mean nothing are nobody's escapes.
      words.append("\\".repeat(literal || reference ? escapes / 2 : escapes));
      if (reference) {
        if (!words.isEmpty()) parts.add(new Part(words.toString(), false));
        words.setLength(0);
        parts.add(new Part(name, true));
        from = braces.end();
      } else {
        // One brace on, so that in {{{name}} the inner two are found; two when they are escaped.
        int taken = literal ? 2 : 1;
        words.append("{".repeat(taken));
        from = braces.end("escapes") + taken;
      }
    }
    words.append(text, from, text.length());
    if (!words.isEmpty() || parts.isEmpty()) parts.add(new Part(words.toString(), false));
    return parts;
  }
}
