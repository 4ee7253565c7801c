package dev.mainstay.context;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoState;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.render.Delimiters;
import dev.mainstay.render.Excerpts;
import dev.mainstay.render.RepoStateText;
import dev.mainstay.render.Tokens;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * What to send instead of a transcript: the rules, what is there now, and what remains to be done,
 * always in this order. It is as long after a hundred turns as after one.
 */
public final class SnapshotPrompt {
  /** The whole prompt has fewer tokens, with what the marks of its messages cost. */
  public static final int PROMPT_TOKENS_MAX = 5_000;

  /** The template is kept whole; this leaves room for the largest snapshot and the request. */
  public static final int TEMPLATE_TOKENS_MAX = 4_100;

  /** The last exchange has at least this share of what the fixed parts leave. */
  static final int EXCHANGE_SHARE_PERCENT = 50;

  private static final int TOKENS_STEP = 32;

  private static final String TO_DO =
      "Your plan has been approved. Complete the remaining open tasks and invoke 'done' when"
          + " finished.";
  private static final String ALL_DONE =
      "Your plan has been approved and no open tasks are left. Check that every criterion is met,"
          + " then invoke 'done'.";
  private static final String CARE =
      "DO NOT recreate files that already exist. Use read_file to verify state before writing.";

  private SnapshotPrompt() {}

  /** The snapshot is data and rendered as such; what is blank is left away. */
  public static List<Message> of(String system, String snapshot, String request) {
    var messages = new ArrayList<Message>();
    if (!system.isBlank()) {
      String id = Message.OWN_ID + "system";
      messages.add(new Message(id, Message.Role.SYSTEM, system, List.of(), null));
    }
    if (!snapshot.isBlank()) {
      String block = Delimiters.block("repository", snapshot);
      messages.add(Message.user(Message.OWN_ID + "snapshot", block));
    }
    if (!request.isBlank()) messages.add(Message.user(Message.OWN_ID + "request", request));
    return messages;
  }

  /**
   * System message, snapshot, delta request, in fewer than {@link #PROMPT_TOKENS_MAX} tokens. The
   * template is kept whole or refused; the additional context follows the request as it is, and
   * gives way in its middle when there is no room for it.
   */
  public static List<Message> build(String template, RepoState state, String additional) {
    return build(template, state, List.of(), additional);
  }

  /** The same with the files first that were touched in this task. */
  public static List<Message> build(
      String template, RepoState state, Collection<String> touched, String additional) {
    checkTemplate(template, Tokens.O200K::count);
    var view = new View(state, touched, additional, 0);
    return assemble(template, view, LastExchange.NONE, Tokens.O200K::count);
  }

  /** What some messages cost with all their marks. */
  public static int tokens(List<Message> messages, ToIntFunction<String> counter) {
    return messages.stream().mapToInt(message -> Slot.of(message, counter).tokens()).sum();
  }

  /** What is true at this turn; {@code unchanged} results in a row have changed nothing. */
  record View(RepoState state, Collection<String> touched, String additional, int unchanged) {}

  static void checkTemplate(String template, ToIntFunction<String> counter) {
    int tokens = counter.applyAsInt(template);
    if (tokens > TEMPLATE_TOKENS_MAX) {
      throw Refusal.tooLarge(
          Phrase.of(
              "the template has %,d tokens; at most %,d leave room for the snapshot, so shorten it",
              tokens, TEMPLATE_TOKENS_MAX));
    }
  }

  /** With the last exchange between the snapshot and the request, as much of it as fits. */
  static List<Message> assemble(
      String template, View view, LastExchange last, ToIntFunction<String> counter) {
    String snapshot = RepoStateText.of(view.state(), view.touched()).text();
    String request = request(view);
    int fixed = tokens(of(template, snapshot, request), counter);
    int rest = PROMPT_TOKENS_MAX - 1 - fixed;
    while (true) {
      var messages = within(rest, of(template, snapshot, request), view, last, counter);
      // The sentence about what is left out has no room of its own; it seldom is needed.
      if (rest <= 0 || tokens(messages, counter) < PROMPT_TOKENS_MAX) return messages;
      rest -= TOKENS_STEP;
    }
  }

  private static List<Message> within(
      int rest, List<Message> fixed, View view, LastExchange last, ToIntFunction<String> counter) {
    var messages = new ArrayList<>(fixed);
    Message request = messages.remove(messages.size() - 1);
    int share = rest * EXCHANGE_SHARE_PERCENT / 100;
    int room = Math.max(rest - share, rest - last.tokens());
    String longer = withAdditional(request.content(), view.additional(), room, counter);
    int used = counter.applyAsInt(longer) - counter.applyAsInt(request.content());
    var exchange = last.within(rest - Math.max(0, used), counter);
    messages.addAll(exchange.messages());
    messages.add(request.withContent(longer + exchange.leftOut()));
    return messages;
  }

  private static String withAdditional(
      String request, String additional, int room, ToIntFunction<String> counter) {
    if (additional.isBlank()) return request;
    String before = request + "\n\n";
    int most = counter.applyAsInt(request) + room;
    return before
        + Excerpts.headAndTail(
            additional,
            new Excerpts.Room(most, quick(most, text -> counter.applyAsInt(before + text))),
            x -> Phrase.of("\n[%,d characters left out]\n", x));
  }

  /** Text that is far too long is measured by its length; the tries that follow are exact. */
  static ToIntFunction<String> quick(int room, ToIntFunction<String> counter) {
    int charsMax = Math.max(1, room) * 16;
    return text ->
        text.length() > charsMax ? Math.max(room + 1, text.length() / 4) : counter.applyAsInt(text);
  }

  private static String request(View view) {
    boolean open = view.state().openTasks().stream().anyMatch(OpenTask::isOpen);
    String request = (open ? TO_DO : ALL_DONE) + "\n\n" + CARE;
    if (view.unchanged() == 0) return request;
    String calls = view.unchanged() == 1 ? "last call" : "last " + view.unchanged() + " calls";
    // A result that changed nothing is not kept; without a word the same call would come again.
    return request
        + Phrase.of(
            "\n\nYour %s changed nothing: the content was there already. Take the next step.",
            calls);
  }
}
