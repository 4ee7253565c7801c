package dev.mainstay.terminal;

import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Typed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Types text into programs: all of it, once, and without running any of it. Enter is a key of its
 * own, pressed when the text has come to rest on the screen.
 */
public final class Typing {
  private static final Duration SHOWN_LIMIT = Duration.ofSeconds(2);
  private static final Duration MARK_LIMIT = Duration.ofSeconds(5);
  private static final Duration REST_LIMIT = Duration.ofSeconds(3);
  private static final Duration ENTER_LIMIT = Duration.ofSeconds(1);

  /** One agent took no Enter a tenth of a second after a paste, and took it after half a second. */
  private static final long REST_MILLIS = 500;

  private static final long LOOK_MILLIS = 25;
  private static final int ENTERS_MAX = 3;

  /** What the program in a pane does with what is pasted. */
  public enum Manner {
    /** It asked for brackets around it, so that a newline in it is a newline. */
    BRACKETS,
    /** It takes every byte for a key; then only one line without tabs can be typed. */
    KEYS
  }

  /** What is known of a text that was to be submitted. */
  public enum Outcome {
    /** The screen changed after Enter; of a text with a mark, where that stands. */
    SUBMITTED,
    /** Text and Enter were typed, but nothing on the screen says that Enter was taken. */
    UNCONFIRMED,
    /** Its mark stood on the screen and vanished: the program drew all anew and forgot it. */
    LOST,
    /** Its mark was there before: it was typed earlier, so nothing was typed now. */
    SHOWN_BEFORE
  }

  private final Panes panes;
  private final TmuxServer server;
  private final Map<Pane, Object> turns = new ConcurrentHashMap<>();

  public Typing(Panes panes) {
    this.panes = panes;
    this.server = panes.server();
  }

  /** Types text without Enter; it arrives exactly once, even if the connection breaks meanwhile. */
  public void paste(Pane pane, Typed typed, Manner manner) {
    refuseKeys(typed, manner);
    if (typed.text().isEmpty()) return;
    synchronized (turn(pane)) {
      refuseDead(pane);
      TmuxFiles files = panes.files();
      String buffer = files.freshName();
      Path file = files.create(buffer);
      try {
        Files.writeString(file, typed.text());
        server.askIn(pane.life(), List.of(List.of("load-buffer", "-b", buffer, file.toString())));
        pasteOnce(pane, buffer);
      } catch (IOException unwritable) {
        throw new UncheckedIOException(unwritable);
      } finally {
        files.delete(file);
      }
    }
  }

  /** Pasting deletes the buffer in the same step: while it exists, nothing was pasted. */
  private void pasteOnce(Pane pane, String buffer) {
    List<List<String>> paste =
        List.of(List.of("paste-buffer", "-p", "-r", "-d", "-b", buffer, "-t", pane.id()));
    try {
      server.tellIn(pane.life(), paste);
    } catch (Refusal refusal) {
      if (refusal.code() != Refusal.Code.STORE_UNAVAILABLE) throw refusal;
      if (buffers(pane).contains(buffer)) server.tellIn(pane.life(), paste);
    }
  }

  private List<String> buffers(Pane pane) {
    return server
        .askIn(pane.life(), List.of(List.of("list-buffers", "-F", "#{buffer_name}")))
        .get(0);
  }

  /**
   * Types text and Enter.
   *
   * @param mark a part of the text by which it is known on the screen; if it is there already,
   *     nothing is typed
   */
  public Outcome submit(Pane pane, Typed typed, Manner manner, @Nullable String mark) {
    synchronized (turn(pane)) {
      if (mark != null && shows(pane, mark)) return Outcome.SHOWN_BEFORE;
      return submitFirst(pane, typed, manner, mark);
    }
  }

  /** Types text that was never typed before and Enter; its mark may be quoted there already. */
  Outcome submitFirst(Pane pane, Typed typed, Manner manner, @Nullable String mark) {
    refuseKeys(typed, manner);
    synchronized (turn(pane)) {
      String before = sight(pane, null);
      paste(pane, typed, manner);
      boolean stood = !typed.text().isEmpty() && awaitTyped(pane, mark, before);
      awaitRest(pane, mark, REST_LIMIT);
      boolean taken = enter(pane, mark);
      if (stood && mark != null && !awaitShown(pane, mark)) return Outcome.LOST;
      return taken ? Outcome.SUBMITTED : Outcome.UNCONFIRMED;
    }
  }

  /** Whether the mark was seen. */
  private boolean awaitTyped(Pane pane, @Nullable String mark, String before) {
    boolean changed = awaitChange(pane, null, before, SHOWN_LIMIT);
    if (mark == null) return false;
    long end = System.nanoTime() + MARK_LIMIT.toNanos();
    while (!panes.capture(pane, Capture.visible()).contains(mark)) {
      // A program may show a long text by a few words of its own; then the screen comes to rest.
      if (changed && awaitRest(pane, null, Duration.ofMillis(2 * REST_MILLIS))) return false;
      if (System.nanoTime() >= end || !pause()) return false;
    }
    return true;
  }

  private boolean awaitShown(Pane pane, String mark) {
    long end = System.nanoTime() + SHOWN_LIMIT.toNanos();
    while (!shows(pane, mark)) {
      if (System.nanoTime() >= end || !pause()) return false;
    }
    return true;
  }

  /** Presses Enter, again if nothing on the screen moved, and says whether something did. */
  public boolean enter(Pane pane) {
    return enter(pane, null);
  }

  private boolean enter(Pane pane, @Nullable String mark) {
    synchronized (turn(pane)) {
      refuseDead(pane);
      String before = sight(pane, mark);
      for (int i = 0; i < ENTERS_MAX; i++) {
        press(pane);
        if (awaitChange(pane, mark, before, ENTER_LIMIT)) return true;
      }
      return false;
    }
  }

  /** Presses a key once. */
  void press(Pane pane, Key key) {
    synchronized (turn(pane)) {
      refuseDead(pane);
      server.tellIn(
          pane.life(),
          List.of(
              List.of("copy-mode", "-q", "-t", pane.id()),
              List.of("send-keys", "-t", pane.id(), key.inTmux())));
    }
  }

  private void press(Pane pane) {
    try {
      // While a person scrolls, keys would go to tmux and not to the program.
      server.tellIn(
          pane.life(),
          List.of(
              List.of("copy-mode", "-q", "-t", pane.id()),
              List.of("send-keys", "-t", pane.id(), "Enter")));
    } catch (Refusal refusal) {
      // If the connection was lost, the screen tells whether the key arrived.
      if (refusal.code() != Refusal.Code.STORE_UNAVAILABLE) throw refusal;
    }
  }

  /** Whether a text stands on the screen or above it, wherever its lines were broken. */
  public boolean shows(Pane pane, String mark) {
    return panes.capture(pane, Capture.full()).contains(mark);
  }

  /**
   * Whether a text stands on the prompt, typed and not sent: its mark can be seen, and from there
   * to the cursor nothing else can. A question below it is not ours to answer.
   */
  boolean standsUnsent(Pane pane, String mark, String text) {
    // An answer that is nothing but an empty line would be no line at all.
    String at =
        server
            .askIn(
                pane.life(),
                List.of(List.of("display-message", "-p", "-t", pane.id(), "c:#{cursor_y}")))
            .get(0)
            .get(0)
            .substring(2);
    List<String> lines = panes.capture(pane, Capture.visible()).lines().toList();
    int from = -1;
    for (int i = 0; i < lines.size(); i++) if (lines.get(i).contains(mark)) from = i;
    int cursor = at.matches("[0-9]{1,4}") ? Integer.parseInt(at) : -1;
    if (from < 0 || cursor < from) return false;
    String whole = words(text);
    for (int i = from; i <= Math.min(cursor, lines.size() - 1); i++) {
      if (!whole.contains(words(lines.get(i)))) return false;
    }
    return true;
  }

  /** Letters and digits alone: blanks, frames and prompts are the program's. */
  private static String words(String line) {
    return line.replaceAll("[^\\p{L}\\p{N}]+", "");
  }

  private Object turn(Pane pane) {
    return turns.computeIfAbsent(pane, key -> new Object());
  }

  private void refuseDead(Pane pane) {
    if (panes.isAlive(pane)) return;
    throw Refusal.notFound("the program in this window has ended; nothing was typed");
  }

  private static void refuseKeys(Typed typed, Manner manner) {
    if (manner == Manner.KEYS) refuseUnlessOneLine(typed.text());
  }

  static void refuseUnlessOneLine(String text) {
    Typed typed = Typed.of(text);
    if (typed.isOneLine() && typed.text().indexOf('\t') < 0) return;
    throw Refusal.invalid(
        "the program in this window would take each newline for Enter and each tab for a key; type"
            + " one line without tabs");
  }

  /**
   * What can be seen, and where the cursor is: Enter may move nothing else. Of a screen with a mark
   * on it only where the mark stands, as seen from the end and from the cursor: all else may move
   * by itself, as the spinner of an agent at work does.
   */
  private String sight(Pane pane, @Nullable String mark) {
    String figures = "#{pane_dead},#{cursor_y},#{cursor_x},#{history_size}";
    String at =
        server
            .askIn(pane.life(), List.of(List.of("display-message", "-p", "-t", pane.id(), figures)))
            .get(0)
            .get(0);
    String seen = panes.capture(pane, Capture.visible());
    if (mark == null || !seen.contains(mark)) return at + "\n" + seen;
    String[] said = at.split(",");
    List<String> lines = seen.lines().toList();
    StringBuilder places = new StringBuilder(said[0]);
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).contains(mark)) continue;
      places.append(' ').append(lines.size() - i).append('/');
      places.append(Integer.parseInt(said[1]) - i);
    }
    return places.toString();
  }

  private boolean awaitChange(Pane pane, @Nullable String mark, String before, Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    // While all is drawn anew a mark may be missing for a moment, so two looks must agree.
    int other = 0;
    while (other < (mark == null ? 1 : 2)) {
      other = sight(pane, mark).equals(before) ? 0 : other + 1;
      if (System.nanoTime() >= end || !pause()) return other > 0;
    }
    return true;
  }

  /** Whether it came to rest within the limit. */
  private boolean awaitRest(Pane pane, @Nullable String mark, Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    String last = sight(pane, mark);
    long since = System.nanoTime();
    while (System.nanoTime() - since < REST_MILLIS * 1_000_000) {
      if (System.nanoTime() >= end || !pause()) return false;
      String now = sight(pane, mark);
      if (!now.equals(last)) since = System.nanoTime();
      last = now;
    }
    return true;
  }

  private static boolean pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      return true;
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
