package dev.mainstay.demo;

import dev.mainstay.demo.Key.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Makes keys of the bytes of a terminal in raw mode. What comes in brackets is text to the last
 * byte, whatever it holds.
 */
final class Keyboard {
  static final int PASTE_BYTES_MAX = 1024 * 1024;
  private static final int READ_BYTES = 8_192;
  private static final int SEQUENCE_BYTES_MAX = 64;
  private static final byte[] PASTE_END = {0x1b, '[', '2', '0', '1', '~'};

  private enum Place {
    TEXT,
    ESCAPE,
    SEQUENCE,
    /** One more byte belongs to the key, as in those of a keypad. */
    SHIFT,
    PASTE
  }

  private final Consumer<Key> keys;
  private final ByteArrayOutputStream held = new ByteArrayOutputStream();
  private Place place = Place.TEXT;
  private int missing;
  private int ended;
  private boolean cut;
  private long now;

  Keyboard(Consumer<Key> keys) {
    this.keys = keys;
  }

  /** Reads until nothing comes any more, and says so. */
  void readAll(InputStream in) {
    byte[] bytes = new byte[READ_BYTES];
    try {
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
        take(bytes, read, System.nanoTime());
      }
    } catch (IOException hungUp) {
      // The terminal is gone, which is an end like any other.
    }
    keys.accept(new Key(Kind.END, "", System.nanoTime()));
  }

  void take(byte[] bytes, int length, long atNanos) {
    now = atNanos;
    for (int i = 0; i < length; i++) take(bytes[i]);
  }

  private void take(byte b) {
    switch (place) {
      case TEXT -> text(b);
      case ESCAPE -> {
        held.reset();
        // The key Escape itself may stand before the sequence of another key.
        if (b == 0x1b) return;
        place = b == '[' ? Place.SEQUENCE : b == 'O' ? Place.SHIFT : Place.TEXT;
      }
      case SEQUENCE -> sequence(b);
      case SHIFT -> place = Place.TEXT;
      case PASTE -> pasted(b);
    }
  }

  private void text(byte b) {
    if (missing > 0 && (b & 0xc0) == 0x80) {
      held.write(b);
      if (--missing == 0) say(Kind.TYPED, flush());
      return;
    }
    missing = 0;
    switch (b) {
      case 0x1b -> place = Place.ESCAPE;
      case '\r' -> say(Kind.ENTER, "");
      case '\n' -> say(Kind.TYPED, "\n");
      case 3, 4 -> say(Kind.INTERRUPT, "");
      case 8, 0x7f -> say(Kind.BACKSPACE, "");
      case 12 -> say(Kind.REDRAW, "");
      default -> {
        if (b >= 0x20) say(Kind.TYPED, String.valueOf((char) b));
        else if (b < 0) begin(b);
      }
    }
  }

  /** The first byte of a character says how many follow. */
  private void begin(byte b) {
    held.reset();
    held.write(b);
    missing = (b & 0xe0) == 0xc0 ? 1 : (b & 0xf0) == 0xe0 ? 2 : (b & 0xf8) == 0xf0 ? 3 : 0;
  }

  private void sequence(byte b) {
    if (b < 0x40) {
      if (held.size() < SEQUENCE_BYTES_MAX) held.write(b);
      return;
    }
    place = Place.TEXT;
    String values = flush();
    if (b == '~' && values.equals("200")) {
      place = Place.PASTE;
      ended = 0;
      cut = false;
    } else if (b == 'R') {
      say(Kind.SIZE, values);
    }
  }

  private void pasted(byte b) {
    ended = b == PASTE_END[ended] ? ended + 1 : b == PASTE_END[0] ? 1 : 0;
    // Room for the end itself, which is taken off again.
    if (held.size() < PASTE_BYTES_MAX + PASTE_END.length) held.write(b);
    else cut = true;
    if (ended < PASTE_END.length) return;
    place = Place.TEXT;
    byte[] all = held.toByteArray();
    held.reset();
    int length = cut ? wholeCharacters(all) : all.length - PASTE_END.length;
    say(cut ? Kind.PASTED_CUT : Kind.PASTED, new String(all, 0, length, StandardCharsets.UTF_8));
  }

  private static int wholeCharacters(byte[] bytes) {
    int length = PASTE_BYTES_MAX;
    while (length > 0 && (bytes[length] & 0xc0) == 0x80) length--;
    return length;
  }

  private String flush() {
    String text = held.toString(StandardCharsets.UTF_8);
    held.reset();
    return text;
  }

  private void say(Kind kind, String text) {
    keys.accept(new Key(kind, text, now));
  }
}
