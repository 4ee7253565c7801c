package dev.mainstay.setup;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The texts that are written into projects; they lie beside the classes of this room. */
final class Texts {
  /** How a file that is all ours is known. */
  static final String MARK = "written by 'mainstay init'";

  private Texts() {}

  static String read(String name) {
    try (InputStream text = Texts.class.getResourceAsStream(name)) {
      if (text == null) throw new IllegalStateException("there is no text " + name);
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
