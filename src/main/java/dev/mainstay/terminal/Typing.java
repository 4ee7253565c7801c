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
    /** The screen changed after Enter. */
    SUBMITTED,
    /** Text and Enter were typed, but the screen never changed after Enter. */
    UNCONFIRMED,
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
    refuseKeys(typed, manner);
    synchronized (turn(pane)) {
      if (mark != null && shows(pane, mark)) return Outcome.SHOWN_BEFORE;
      String before = screen(pane);
      paste(pane, typed, manner);
      if (!typed.text().isEmpty()) awaitChange(pane, before, SHOWN_LIMIT);
      awaitRest(pane);
      return enter(pane) ? Outcome.SUBMITTED : Outcome.UNCONFIRMED;
    }
  }

  /** Presses Enter, again if nothing on the screen moved, and says whether something did. */
  public boolean enter(Pane pane) {
    synchronized (turn(pane)) {
      refuseDead(pane);
      String before = screen(pane);
      for (int i = 0; i < ENTERS_MAX; i++) {
        press(pane);
        if (awaitChange(pane, before, ENTER_LIMIT)) return true;
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

  private Object turn(Pane pane) {
    return turns.computeIfAbsent(pane, key -> new Object());
  }

  private void refuseDead(Pane pane) {
    if (panes.isAlive(pane)) return;
    throw Refusal.notFound("the program in this window has ended; nothing was typed");
  }

  private static void refuseKeys(Typed typed, Manner manner) {
    if (manner == Manner.BRACKETS) return;
    if (typed.isOneLine() && typed.text().indexOf('\t') < 0) return;
    throw Refusal.invalid(
        "the program in this window would take each newline for Enter and each tab for a key; type"
            + " one line without tabs");
  }

  /** What can be seen, and where the cursor is: Enter may move nothing else. */
  private String screen(Pane pane) {
    String figures = "#{cursor_x},#{cursor_y},#{history_size},#{pane_dead}";
    var at =
        server.askIn(
            pane.life(), List.of(List.of("display-message", "-p", "-t", pane.id(), figures)));
    return at.get(0) + panes.capture(pane, Capture.visible());
  }

  private boolean awaitChange(Pane pane, String before, Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    while (screen(pane).equals(before)) {
      if (System.nanoTime() >= end || !pause()) return false;
    }
    return true;
  }

  private void awaitRest(Pane pane) {
    long end = System.nanoTime() + REST_LIMIT.toNanos();
    String last = screen(pane);
    long since = System.nanoTime();
    while (System.nanoTime() < end && System.nanoTime() - since < REST_MILLIS * 1_000_000) {
      if (!pause()) return;
      String now = screen(pane);
      if (!now.equals(last)) since = System.nanoTime();
      last = now;
    }
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
