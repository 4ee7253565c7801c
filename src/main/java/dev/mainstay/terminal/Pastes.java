package dev.mainstay.terminal;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.AgentProfile.Prompts;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Seat;
import dev.mainstay.domain.Terminal;
import dev.mainstay.domain.TerminalEvent;
import dev.mainstay.domain.Typed;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whose words an agent was given. What Mainstay typed into a terminal is its sender's and never the
 * word of the person who looks at that terminal.
 */
public final class Pastes {
  /** So many typings are looked at, and none that is older. */
  private static final int TYPINGS_MAX = 20;

  private static final Duration TYPED_SINCE = Duration.ofHours(1);

  /** Shorter words, such as "yes", may well be somebody else's unless they are all there is. */
  private static final int TELLING_CHARS_MIN = 20;

  private static final int MARKS_MAX = 20;
  private static final Pattern MARK = Pattern.compile("\\[message (\\d{1,18})/[0-9a-f]{8}\\]");

  private final Store store;
  private final Profiles profiles;

  public Pastes(Store store, Profiles profiles) {
    this.store = store;
    this.profiles = profiles;
  }

  /**
   * Whose words these are.
   *
   * @param message the number of the message that they bring, if they do
   */
  public record Pasted(Actor sender, @Nullable Long message) {}

  /** The sender of a text that was submitted in a terminal; empty if it came from the keyboard. */
  public Optional<Pasted> senderOf(String terminal, String text) {
    return store.reading(
        tx -> {
          Optional<Terminal> known = tx.terminals().find(terminal);
          if (known.isEmpty()) return Optional.empty();
          return message(tx, terminal, text)
              .or(() -> typed(tx, terminal, text))
              .or(() -> begun(tx, known.get(), text));
        });
  }

  /** A mark tells of a message only if it is that message's own. */
  private static Optional<Pasted> message(Tx tx, String terminal, String text) {
    Matcher marks = MARK.matcher(text);
    for (int looks = 0; looks < MARKS_MAX && marks.find(); looks++) {
      Optional<Message> found =
          tx.inbox()
              .find(Long.parseLong(marks.group(1)))
              .filter(each -> each.receiver().equals(terminal))
              .filter(each -> each.mark().equals(marks.group()));
      if (found.isPresent()) {
        return Optional.of(new Pasted(actor(found.get().sender()), found.get().id()));
      }
    }
    return Optional.empty();
  }

  private static Optional<Pasted> typed(Tx tx, String terminal, String text) {
    Instant since = tx.now().minus(TYPED_SINCE);
    var typings =
        tx.journal()
            .newestOfKinds(
                Terminal.stream(terminal), Set.of(TerminalEvent.TypedInto.KIND), TYPINGS_MAX);
    String given = plain(Redactor.DEFAULT.redact(text));
    Pasted newest = null;
    for (JournalEntry each : typings) {
      String words = plain(JsonText.object(each.content().payload()).text("text"));
      boolean recent = !each.origin().at().isBefore(since);
      if (recent && isIn(given, words)) newest = new Pasted(each.origin().actor(), null);
    }
    return Optional.ofNullable(newest);
  }

  private Optional<Pasted> begun(Tx tx, Terminal terminal, String text) {
    Seat seat = terminal.seat();
    String caller = seat == null ? null : seat.begin().caller();
    if (caller == null) return Optional.empty();
    Optional<Prompts> profile = ofProfile(terminal);
    String given = plain(text);
    String initial =
        tx.terminalStates().of(terminal).prompt(profile.map(Prompts::initial).orElse(null));
    // Where a provider has no place for it, a profile's own text is typed as well.
    String system = profile.map(Prompts::system).orElse("");
    boolean ours =
        isIn(given, plain(system))
            || (initial != null && isIn(given, plain(Typed.of(initial).text())));
    return ours ? Optional.of(new Pasted(actor(caller), null)) : Optional.empty();
  }

  /** A profile that is gone or can no longer be read says nothing. */
  private Optional<Prompts> ofProfile(Terminal terminal) {
    String name = terminal.profile();
    if (name == null) return Optional.empty();
    try {
      return Optional.of(profiles.get(name).prompts());
    } catch (Refusal gone) {
      return Optional.empty();
    }
  }

  private static boolean isIn(String given, String words) {
    if (words.isEmpty()) return false;
    return words.length() < TELLING_CHARS_MIN ? given.equals(words) : given.contains(words);
  }

  /** Screens and programs break lines as they like. */
  private static String plain(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }

  static Actor actor(String sender) {
    return Message.isTerminal(sender) ? Actor.agent(sender) : Actor.parse(sender);
  }
}
