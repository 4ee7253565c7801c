package dev.mainstay.domain;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What somebody has to say to a terminal. The sender is a terminal's id, or a person or Mainstay
 * itself as {@link Actor} writes them. Its moments and its reason are there exactly in the statuses
 * they belong to; the table CHECKs the same.
 */
public record Message(long id, String sender, String receiver, String text, Standing standing) {
  public static final int MESSAGE_CHARS_MAX = 65_536;
  public static final int REASON_CHARS_MAX = 2_000;
  public static final int ATTEMPTS_MAX = 5;
  private static final int EXCERPT_CHARS_MAX = 200;
  private static final int MARK_CODE_CHARS = 8;

  /** How every mark begins; what a message is known by on a screen. */
  static final String MARK_BEGINS = "[message ";

  /** How Mainstay signs what it says itself. */
  public static final String MAINSTAY = Actor.SYSTEM.toString();

  private static final Set<String> NO_TERMINALS = Set.of("person:", "system:");

  /** Where a message stands. Which status may follow which is the table below. */
  public enum Status {
    PENDING,
    DELIVERING,
    DELIVERED,
    FAILED;

    private static final Map<Status, Set<Status>> FOLLOWERS =
        Map.of(
            PENDING, EnumSet.of(DELIVERING, FAILED),
            DELIVERING, EnumSet.of(PENDING, DELIVERED, FAILED),
            DELIVERED, Set.of(),
            FAILED, Set.of());

    public boolean mayBecome(Status next) {
      return FOLLOWERS.getOrDefault(this, Set.of()).contains(next);
    }

    /** Whether something can still become of it. */
    public boolean isOpen() {
      return this == PENDING || this == DELIVERING;
    }
  }

  /** How far it is, how often somebody took it, and why it failed if it did. */
  public record Standing(Status status, int attempts, @Nullable String reason, Moments moments) {
    public Standing {
      boolean fits =
          attempts >= 0
              && (status == Status.DELIVERING) == (moments.takenUntil() != null)
              && (status == Status.DELIVERED) == (moments.deliveredAt() != null)
              && (status == Status.FAILED) == (reason != null);
      if (!fits) throw new IllegalStateException("a message cannot be " + status + " like this");
    }
  }

  /** When it was sent and last moved, until when it is somebody's, and when it had arrived. */
  public record Moments(
      Instant sentAt,
      Instant updatedAt,
      @Nullable Instant takenUntil,
      @Nullable Instant deliveredAt) {}

  public Message {
    receiver = Terminal.id(receiver);
    text = text(text);
  }

  /** A text that may be sent. */
  public static String text(String typed) {
    if (Text.body("a message", typed, MESSAGE_CHARS_MAX).isBlank()) {
      throw Refusal.invalid("a message needs a text; say something");
    }
    return typed;
  }

  /** Why a message failed: one line of words, cut where it is too long. */
  public static String reason(String typed) {
    String line = typed.replaceAll("\\p{Cntrl}+", " ").strip();
    return Text.line("a reason", Graphemes.cut(line, REASON_CHARS_MAX), REASON_CHARS_MAX);
  }

  /** Where a message that was just sent stands. */
  public static Standing sent(Instant now) {
    return new Standing(Status.PENDING, 0, null, new Moments(now, now, null, null));
  }

  /** Whether this is how a terminal signs; a person's or Mainstay's name is no terminal's. */
  public static boolean isTerminal(String sender) {
    return NO_TERMINALS.stream().noneMatch(sender::startsWith);
  }

  /** Whether its sender has an inbox, too. */
  public boolean isFromTerminal() {
    return isTerminal(sender);
  }

  /** Whether whoever took it let the time pass. */
  public boolean isOverdue(Instant now) {
    Instant until = standing.moments().takenUntil();
    return until != null && !until.isAfter(now);
  }

  /** Whether it was taken often enough without ever arriving. */
  public boolean isExhausted(Instant now) {
    boolean free = standing.status() == Status.PENDING || isOverdue(now);
    return free && standing.attempts() >= ATTEMPTS_MAX;
  }

  /** It waits again: whoever took it did not say that it arrived. */
  public Message returned(Instant now) {
    return moved(Status.PENDING, standing.attempts(), null, moments(now, null, null));
  }

  /** Somebody has it until then; one that came back by its time is taken like any other. */
  public Message taken(Instant now, Instant until) {
    Message free = isOverdue(now) ? returned(now) : this;
    int attempts = standing.attempts() + 1;
    return free.moved(Status.DELIVERING, attempts, null, moments(now, until, null));
  }

  /** It arrived. */
  public Message delivered(Instant now) {
    return moved(Status.DELIVERED, standing.attempts(), null, moments(now, null, now));
  }

  /** It will not arrive. */
  public Message failed(String why, Instant now) {
    return moved(Status.FAILED, standing.attempts(), reason(why), moments(now, null, null));
  }

  private Moments moments(Instant now, @Nullable Instant takenUntil, @Nullable Instant arrived) {
    return new Moments(standing.moments().sentAt(), now, takenUntil, arrived);
  }

  private Message moved(Status next, int attempts, @Nullable String why, Moments moments) {
    if (!standing.status().mayBecome(next)) throw refusal(next);
    return new Message(id, sender, receiver, text, new Standing(next, attempts, why, moments));
  }

  private Refusal refusal(Status next) {
    return Refusal.conflict(
        switch (standing.status()) {
          case PENDING -> Phrase.of("message %d was not pulled yet; pull it first", id);
          case DELIVERING -> Phrase.of("message %d is being delivered and cannot be %s", id, next);
          case DELIVERED -> Phrase.of("message %d was delivered; nothing is left to do", id);
          case FAILED ->
              Phrase.of(
                  "message %d has failed (%s); ask %s to send it again",
                  id, standing.reason(), sender);
        });
  }

  /**
   * By which it is known on a screen. Nobody who does not know the message can foretell it, so no
   * other text makes it look as if it had arrived.
   */
  public String mark() {
    String all = String.join("\n", sender, receiver, standing.moments().sentAt().toString(), text);
    String code = JournalEntry.sha256(all).substring(0, MARK_CODE_CHARS);
    return MARK_BEGINS + id + "/" + code + "]";
  }

  /** As it is typed onto a screen. */
  public String onScreen() {
    return mark() + " from " + sender + ":\n" + text;
  }

  /** What its sender is told when it failed. */
  public String failureNotice() {
    String begin = Graphemes.cut(text, EXCERPT_CHARS_MAX);
    return Phrase.of(
        "Message %d to %s was not delivered: %s\nIt began: %s",
        id, receiver, standing.reason(), begin);
  }

  public JsonObject toJson() {
    Moments moments = standing.moments();
    return JsonObject.of("id", id, "sender_id", sender, "receiver_id", receiver, "message", text)
        .with("status", standing.status().name())
        .with("attempts", standing.attempts())
        .with("reason", standing.reason())
        .with("created_at", Times.write(moments.sentAt()))
        .with("updated_at", Times.write(moments.updatedAt()))
        .with("taken_until", written(moments.takenUntil()))
        .with("delivered_at", written(moments.deliveredAt()));
  }

  private static @Nullable String written(@Nullable Instant moment) {
    return moment == null ? null : Times.write(moment);
  }

  public static Message fromJson(JsonObject json) {
    return new Message(
        json.number("id"),
        json.text("sender_id"),
        json.text("receiver_id"),
        json.text("message"),
        new Standing(
            Status.valueOf(json.text("status")),
            json.integer("attempts"),
            json.textOrNull("reason"),
            new Moments(
                Times.read(json.text("created_at")),
                Times.read(json.text("updated_at")),
                moment(json, "taken_until"),
                moment(json, "delivered_at"))));
  }

  private static @Nullable Instant moment(JsonObject json, String field) {
    String text = json.textOrNull(field);
    return text == null ? null : Times.read(text);
  }
}
