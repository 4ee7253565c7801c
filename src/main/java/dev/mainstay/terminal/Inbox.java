package dev.mainstay.terminal;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.InboxEvent;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.Message.Status;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Seat;
import dev.mainstay.domain.Terminal;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Messages between terminals: sent once, pulled by the receiver oldest first, and acknowledged
 * once. What is pulled belongs to whoever pulled it for a while; what is not acknowledged by then
 * comes back, and after {@link Message#ATTEMPTS_MAX} times it has failed and its sender is told.
 *
 * <p>Locks are taken in one order: terminals by id, then messages by number. A pull passes over
 * messages that somebody else has locked and so waits for nobody.
 */
public final class Inbox {
  public static final int PAGE_MAX = 1_000;
  public static final int PULL_MAX = 50;
  public static final int IDS_MAX = 1_000;

  /** More than this wait for no terminal: somebody sends in a circle, or nobody reads. */
  public static final int WAITING_MAX = 10_000;

  public static final Duration LEASE = Duration.ofMinutes(5);
  public static final Duration LEASE_MIN = Duration.ofSeconds(1);
  public static final Duration LEASE_MAX = Duration.ofDays(1);

  /** So many characters of messages are given at once, or one message. */
  static final int PULL_CHARS_MAX = 262_144;

  private static final int GIVEN_UP_AT_ONCE_MAX = 100;
  private static final Call SYSTEM = Call.by(Actor.SYSTEM, "inbox");
  private static final String ROLE = "inbox";

  /** Which messages are listed. */
  public enum Filter {
    /** Those of which something can still become. */
    OPEN,
    ALL
  }

  /** What an acknowledgement did: these arrived by it, those had arrived before. */
  public record Acknowledged(List<Long> now, List<Long> before) {
    public JsonObject toJson() {
      return JsonObject.of("acknowledged", now, "acknowledged_before", before);
    }

    static Acknowledged fromJson(JsonObject json) {
      return new Acknowledged(numbers(json, "acknowledged"), numbers(json, "acknowledged_before"));
    }

    private static List<Long> numbers(JsonObject json, String field) {
      return json.list(field).stream().map(each -> Long.valueOf(String.valueOf(each))).toList();
    }
  }

  private final Store store;

  public Inbox(Store store) {
    this.store = store;
  }

  /**
   * Sends a message as the terminal that is named, or as the caller: a person, or an agent, which
   * thereby becomes known as a terminal if it was not.
   */
  public Message send(NewMessage wanted, Call call) {
    return store.inTransaction(
        once(call, "inbox.send", wanted.toJson()),
        tx -> {
          String sender = sender(tx, wanted.sender(), call.actor());
          refuseFull(tx, wanted.receiver());
          return sent(tx, sender, wanted.receiver(), wanted.text(), call);
        });
  }

  private static String sender(Tx tx, @Nullable String named, Actor actor) {
    if (named == null && !actor.isAgent()) return actor.toString();
    String terminal = named == null ? actor.name() : named;
    if (!Message.isTerminal(terminal)) {
      throw Refusal.invalid(
          Phrase.of("%s cannot send, as it would be taken for somebody else; rename it", terminal));
    }
    if (named == null) tx.terminals().ensureExternal(terminal);
    else tx.terminals().get(terminal);
    return terminal;
  }

  /** What Mainstay has to tell is always taken. */
  private static void refuseFull(Tx tx, String receiver) {
    if (!tx.inbox().isOpenBeyond(receiver, WAITING_MAX)) return;
    throw Refusal.conflict(
        Phrase.of(
            "%,d messages wait for %s; send again when it has pulled and acknowledged some",
            WAITING_MAX, receiver));
  }

  /** Sends within a transaction that has more to do; what Mainstay itself has to say is taken. */
  static Message sent(Tx tx, String sender, String receiver, String text, Call call) {
    if (sender.equals(receiver)) {
      throw Refusal.invalid(
          Phrase.of(
              "%s cannot send a message to itself; 'mainstay terminal list' shows the others",
              sender));
    }
    tx.terminals().lock(receiver);
    Message message = tx.inbox().insert(sender, receiver, text);
    append(tx, receiver, call, List.of(new InboxEvent.Sent(message)));
    return message;
  }

  private static void append(Tx tx, String receiver, Call call, List<InboxEvent> events) {
    tx.journal().append(Terminal.stream(receiver), call, events);
  }

  /**
   * Answers a message: goes to its sender, from the terminal that received it, or from the person
   * who calls.
   */
  public Message reply(long id, String text, Call call) {
    String said = Message.text(Redactor.DEFAULT.redact(text));
    return store.inTransaction(
        once(call, "inbox.reply", JsonObject.of("id", id, "message", said)),
        tx -> {
          Message about = tx.inbox().get(id);
          if (!about.isFromTerminal()) {
            throw Refusal.invalid(
                Phrase.of(
                    "message %d is from %s, who has no inbox; only a terminal can be answered",
                    id, about.sender()));
          }
          boolean agent = call.actor().isAgent();
          String sender = agent ? about.receiver() : call.actor().toString();
          refuseFull(tx, about.sender());
          return sent(tx, sender, about.sender(), said, call);
        });
  }

  /** Says something to whoever started a terminal: to whom its work matters. */
  public Message report(String terminal, String text, Call call) {
    String said = Message.text(Redactor.DEFAULT.redact(text));
    return store.inTransaction(
        once(call, "inbox.report", JsonObject.of("terminal", terminal, "message", said)),
        tx -> {
          Seat seat = tx.terminals().get(terminal).seat();
          String caller = seat == null ? null : seat.begin().caller();
          if (caller == null || !Message.isTerminal(caller)) {
            throw Refusal.invalid(
                Phrase.of(
                    "%s was started by %s, who has no inbox; name a message to answer, or send one",
                    terminal, caller == null ? "somebody else" : caller));
          }
          refuseFull(tx, caller);
          return sent(tx, terminal, caller, said, call);
        });
  }

  public Message show(long id) {
    return store.reading(tx -> tx.inbox().get(id));
  }

  /** Messages to one terminal, or to all, after a number (0: from the first), oldest first. */
  public List<Message> list(@Nullable String terminal, Filter filter, long after, int limit) {
    checkLimit(limit, PAGE_MAX);
    return store.reading(
        tx -> {
          if (terminal != null) tx.terminals().get(terminal);
          return tx.inbox().list(terminal, filter == Filter.OPEN, after, limit);
        });
  }

  /** What a pull would give now, oldest first; nothing for one that is not known. */
  public List<Message> waiting(String terminal, int limit) {
    return store.reading(tx -> tx.inbox().free(terminal, limit));
  }

  /**
   * Gives the terminal its oldest messages, which are its puller's until the lease is over: no
   * message is given to two at the same time, whichever process they are in. Acknowledge what
   * arrived; the rest comes back.
   */
  public List<Message> pull(String terminal, int limit, Duration lease, Call call) {
    checkLimit(limit, PULL_MAX);
    if (lease.compareTo(LEASE_MIN) < 0 || lease.compareTo(LEASE_MAX) > 0) {
      throw Refusal.invalid("a message is pulled for between 1 second and 1 day");
    }
    JsonObject request =
        JsonObject.of("terminal", terminal, "limit", limit, "lease_millis", lease.toMillis());
    return store.inTransaction(
        Once.of(call, "inbox.pull", request, Inbox::written, Inbox::read),
        tx -> {
          tx.terminals().get(terminal);
          giveUp(tx, tx.inbox().exhausted(terminal, GIVEN_UP_AT_ONCE_MAX), call);
          Instant until = tx.now().plus(lease);
          List<Message> taken =
              fitting(tx.inbox().lockNext(terminal, limit)).stream()
                  .map(each -> each.taken(tx.now(), until))
                  .toList();
          tx.inbox().moved(taken);
          if (taken.isEmpty()) tx.leaveUnsettled(); // the same key may ask again
          return taken;
        });
  }

  /** As many as may be given at once: the first, and others while there is room for them. */
  static List<Message> fitting(List<Message> messages) {
    List<Message> fitting = new ArrayList<>();
    long chars = 0;
    for (Message each : messages) {
      chars += each.text().length();
      if (chars > PULL_CHARS_MAX && !fitting.isEmpty()) break;
      fitting.add(each);
    }
    return fitting;
  }

  /**
   * Says that messages arrived; each does so once, and what had arrived before is named. All of
   * them or, if one cannot be acknowledged, none.
   */
  public Acknowledged acknowledge(String terminal, Collection<Long> ids, Call call) {
    List<Long> wanted = List.copyOf(new TreeSet<>(ids));
    if (wanted.isEmpty() || wanted.size() > IDS_MAX) {
      throw Refusal.invalid(Phrase.of("name between 1 and %,d messages to acknowledge", IDS_MAX));
    }
    return store.inTransaction(
        Once.of(
            call,
            "inbox.acknowledge",
            JsonObject.of("terminal", terminal, "ids", wanted),
            Acknowledged::toJson,
            Acknowledged::fromJson),
        tx -> {
          tx.terminals().lock(terminal);
          List<Message> found = tx.inbox().lock(wanted);
          refuseForeign(terminal, wanted, found);
          return acknowledged(tx, terminal, found, call);
        });
  }

  private static void refuseForeign(String terminal, List<Long> wanted, List<Message> found) {
    Set<Long> missing = new TreeSet<>(wanted);
    for (Message each : found) if (each.receiver().equals(terminal)) missing.remove(each.id());
    if (missing.isEmpty()) return;
    throw Refusal.notFound(
        Phrase.of(
            "there is no message %d for %s; 'mainstay inbox list %s --all' shows those there are",
            missing.iterator().next(), terminal, terminal));
  }

  private static Acknowledged acknowledged(Tx tx, String terminal, List<Message> found, Call call) {
    List<Long> before = new ArrayList<>();
    List<Message> arrived = new ArrayList<>();
    for (Message each : found) {
      if (each.standing().status() == Status.DELIVERED) before.add(each.id());
      else arrived.add(each.delivered(tx.now()));
    }
    tx.inbox().moved(arrived);
    List<InboxEvent> events = new ArrayList<>();
    for (Message each : arrived) events.add(new InboxEvent.Delivered(each));
    append(tx, terminal, call, events);
    return new Acknowledged(arrived.stream().map(Message::id).toList(), List.copyOf(before));
  }

  /** Notes that nobody can tell whether a message arrived, or arrived once. */
  void doubtful(long id, String why, Call call) {
    store.inTransaction(
        Once.unkeyed(),
        tx -> {
          Message message = tx.inbox().get(id);
          append(tx, message.receiver(), call, List.of(new InboxEvent.Doubtful(message, why)));
          return message;
        });
  }

  /**
   * Says that a message will not arrive, and tells its sender if that is a terminal. One that has
   * failed already stays as it is.
   */
  public Message fail(long id, String reason, Call call) {
    String why = Message.reason(Redactor.DEFAULT.redact(reason));
    return store.inTransaction(
        once(call, "inbox.fail", JsonObject.of("id", id, "reason", why)),
        tx -> {
          lockTerminals(tx, List.of(tx.inbox().get(id)));
          Message message = tx.inbox().lock(List.of(id)).get(0);
          if (message.standing().status() == Status.FAILED) return message;
          return failed(tx, message, why, call);
        });
  }

  /**
   * Lets fail what was taken too often by receivers who do not come back; how many there were. One
   * process at a time does so.
   */
  public int giveUp() {
    boolean due =
        store.reading(
            tx -> !tx.inbox().exhausted(1).isEmpty() || !tx.inbox().toTheOver(1).isEmpty());
    if (!due) return 0; // a look costs no commit
    return store.inTransaction(
        Once.unkeyed(),
        tx ->
            tx.isElected(ROLE)
                ? giveUp(tx, tx.inbox().exhausted(GIVEN_UP_AT_ONCE_MAX), SYSTEM)
                    + giveUpOver(tx, tx.inbox().toTheOver(GIVEN_UP_AT_ONCE_MAX))
                : 0);
  }

  /** Nobody is there to read them any more. */
  private static int giveUpOver(Tx tx, List<Message> messages) {
    if (messages.isEmpty()) return 0;
    lockTerminals(tx, messages);
    int count = 0;
    for (Message each : tx.inbox().lock(messages.stream().map(Message::id).toList())) {
      Seat seat = tx.terminals().get(each.receiver()).seat();
      if (!each.standing().status().isOpen() || seat == null || seat.isLive()) continue;
      String why = Phrase.of("%s is over: %s", each.receiver(), seat.standing().why());
      failed(tx, each, why, SYSTEM);
      count++;
    }
    return count;
  }

  private static int giveUp(Tx tx, List<Message> exhausted, Call call) {
    if (exhausted.isEmpty()) return 0;
    lockTerminals(tx, exhausted);
    int count = 0;
    for (Message each : tx.inbox().lock(exhausted.stream().map(Message::id).toList())) {
      if (!each.isExhausted(tx.now())) continue; // somebody acknowledged it meanwhile
      int attempts = each.standing().attempts();
      failed(tx, each, Phrase.of("it was pulled %d times and never acknowledged", attempts), call);
      count++;
    }
    return count;
  }

  private static Message failed(Tx tx, Message message, String why, Call call) {
    Message failed = message.failed(why, tx.now());
    tx.inbox().moved(List.of(failed));
    append(tx, failed.receiver(), call, List.of(new InboxEvent.Failed(failed)));
    // What Mainstay says has no terminal as its sender, so there is no notice about a notice.
    boolean told = failed.isFromTerminal() && tx.terminals().find(failed.sender()).isPresent();
    if (told) sent(tx, Message.MAINSTAY, failed.sender(), failed.failureNotice(), call);
    return failed;
  }

  /** Whoever receives these and whoever is to be told of them, in the order of their ids. */
  private static void lockTerminals(Tx tx, List<Message> messages) {
    Set<String> ids = new TreeSet<>();
    for (Message each : messages) {
      ids.add(each.receiver());
      if (each.isFromTerminal()) ids.add(each.sender());
    }
    for (String id : ids) if (tx.terminals().find(id).isPresent()) tx.terminals().lock(id);
  }

  private static void checkLimit(int limit, int max) {
    if (limit >= 1 && limit <= max) return;
    throw Refusal.invalid(Phrase.of("a limit lies between 1 and %,d", max));
  }

  private static Once<Message> once(Call call, String useCase, JsonObject request) {
    return Once.of(call, useCase, request, Message::toJson, Message::fromJson);
  }

  private static JsonObject written(List<Message> messages) {
    return JsonObject.of("messages", messages.stream().map(Message::toJson).toList());
  }

  private static List<Message> read(JsonObject json) {
    return json.objects("messages").stream().map(Message::fromJson).toList();
  }
}
