package dev.mainstay.domain;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a prompt asks of Mainstay: another goal, what is to be remembered, and what is to hold from
 * now on. Only a prompt that is all about remembering binds: a longer one may hold pasted logs and
 * mails, whose sentences are not orders.
 *
 * @param goal what follows "/goal" or "new goal:", if the prompt begins with it
 * @param remembered what follows "/remember" at its beginning, or "remember:" if that is all
 * @param isOnlyOrders whether nothing is left to work on
 */
public record PromptWords(
    @Nullable String goal, List<String> remembered, List<String> standing, boolean isOnlyOrders) {
  // A plugin's commands come with its name before them: /mainstay:remember.
  private static final Pattern REMEMBER =
      Pattern.compile("(?is)\\A\\s*/(?:[\\w-]{1,64}:)?remember\\s+(.+)\\z");
  private static final Pattern REMEMBER_LINE =
      Pattern.compile("(?i)\\A\\s*remember:[ \\t]+(\\S[^\\n]*)\\s*\\z");

  /** What some hosts make of the command that {@code mainstay init} writes. */
  private static final Pattern REMEMBER_COMMAND =
      Pattern.compile(
          "(?s)\\A\\s*Mainstay has recorded this as a binding instruction of mine:\\s+"
              + "remember:\\s+(\\S.*?)\\s+Say in one sentence that it holds from now on,.*\\z");

  private static final Pattern GOAL =
      Pattern.compile("(?is)\\A\\s*(?:/(?:[\\w-]{1,64}:)?goal\\s+|new goal:\\s*)(\\S.*)\\z");

  public PromptWords {
    remembered = List.copyOf(remembered);
    standing = List.copyOf(standing);
  }

  public static PromptWords of(String prompt) {
    for (Pattern pattern : List.of(REMEMBER, REMEMBER_LINE, REMEMBER_COMMAND)) {
      Matcher remember = pattern.matcher(prompt);
      if (remember.matches()) {
        return new PromptWords(null, List.of(order(remember.group(1))), List.of(), true);
      }
    }
    Matcher goal = GOAL.matcher(prompt);
    return new PromptWords(
        goal.matches() ? Graphemes.cut(goal.group(1).strip(), TaskState.GOAL_CHARS_MAX) : null,
        List.of(),
        StandingInstructions.in(prompt),
        false);
  }

  /** Whether a text holds a secret; as an order it would come back in every context. */
  public static boolean holdsSecret(String text) {
    return !Redactor.DEFAULT.redact(text).equals(text);
  }

  private static String order(String words) {
    return Graphemes.cut(words.strip(), Directives.DIRECTIVE_CHARS_MAX);
  }
}
