package dev.mainstay.context;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a summary keeps of archived messages, in the order it is shown. A line belongs to the first
 * category of {@link #MOST_TELLING_FIRST} whose words it has, provided the right one says it: what
 * a tool prints is data and gives no orders, and a rule counts only in a person's words, since
 * compaction is known to invent rules. The words are English; other lines are archived all the same
 * and simply not quoted.
 */
public enum Category {
  CONSTRAINTS(
      "Constraints",
      EnumSet.of(Message.Role.USER),
      "\\b(?:must|never|always|do not|don't|may not|mustn't)\\b"),
  DECISIONS(
      "Decisions",
      EnumSet.of(Message.Role.USER, Message.Role.ASSISTANT),
      "\\b(?:decided|decision|agreed|chose|chosen|going with|we will use|we'll use)\\b"),
  /** Found in the arguments of calls that write, see {@link Recogniser}. */
  ARTIFACTS("Artifacts", EnumSet.noneOf(Message.Role.class), "(?!)"),
  QUESTIONS(
      "Open questions", EnumSet.of(Message.Role.USER, Message.Role.ASSISTANT), "\\?[\"')*_]*$"),
  FAILURES(
      "Failures",
      EnumSet.of(Message.Role.ASSISTANT, Message.Role.TOOL),
      "^(?!.*\\b(?:0|no) (?:errors?|failures?|failed)\\b).*(?:\\b(?:fail(?:ed|ure|ures)|fatal"
          + "|traceback|exit (?:code|status) -?[1-9])|(?:error|exception)\\b)"),
  NEXT_ACTIONS(
      "Next actions",
      EnumSet.of(Message.Role.USER, Message.Role.ASSISTANT),
      "\\bTODO\\b|^(?:[-*] )?(?:next\\b|\\[ ])");

  private static final List<Category> MOST_TELLING_FIRST =
      List.of(CONSTRAINTS, NEXT_ACTIONS, QUESTIONS, DECISIONS, FAILURES);

  private final String heading;
  private final Set<Message.Role> speakers;
  private final Pattern words;

  Category(String heading, Set<Message.Role> speakers, String words) {
    this.heading = heading;
    this.speakers = speakers;
    this.words = Pattern.compile(words, Pattern.CASE_INSENSITIVE);
  }

  public String heading() {
    return heading;
  }

  static Optional<Category> of(Message.Role speaker, String line) {
    return MOST_TELLING_FIRST.stream()
        .filter(category -> category.speakers.contains(speaker))
        .filter(category -> category.words.matcher(line).find())
        .findFirst();
  }
}
