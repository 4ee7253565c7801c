package dev.mainstay.domain;

import java.util.regex.Pattern;

/**
 * A name that the caller chose for a task, unique in its store. Interfaces take it wherever they
 * take the task's id, and answer with the id. It is given when the task is created.
 */
public final class TaskAlias {
  public static final int CHARS_MAX = 128;

  private static final Pattern SHAPE =
      Pattern.compile("[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}._:@#+ -]*[\\p{L}\\p{M}\\p{N}_#+])?");

  /** What begins like this is an id, or a slip in one. */
  private static final Pattern ID = Pattern.compile("(?i)(?:t-?)?\\d+|t-\\d.*");

  private TaskAlias() {}

  /** Whether the text is an alias and no id. */
  public static boolean isOne(String text) {
    return text.length() <= CHARS_MAX
        && SHAPE.matcher(text).matches()
        && !ID.matcher(text).matches();
  }

  /** The alias, or a refusal that says what an alias may be. */
  public static String checked(String alias) {
    if (!isOne(alias)) {
      throw Refusal.invalid(
          Phrase.of(
              "\"%s\" cannot be an alias; use at most %d letters, digits, blanks and ._:@#+-, not a"
                  + " task id",
              Graphemes.excerpt(alias, 40), CHARS_MAX));
    }
    if (!Redactor.DEFAULT.redact(alias).equals(alias)) {
      throw Refusal.invalid("the alias looks like a secret; choose another");
    }
    return alias;
  }
}
