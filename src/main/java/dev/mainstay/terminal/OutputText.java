package dev.mainstay.terminal;

import dev.mainstay.domain.ScreenText;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** What a program prints as text, piece by piece; a character cut in two comes with its end. */
public final class OutputText {
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .onUnmappableCharacter(CodingErrorAction.REPLACE);
  private final ScreenText plain = new ScreenText();
  private final boolean escapes;
  private byte[] left = new byte[0];

  /** With escape sequences, for a view that is a terminal; or without, for one that is text. */
  public OutputText(boolean escapes) {
    this.escapes = escapes;
  }

  public String text(byte[] piece) {
    ByteBuffer bytes = ByteBuffer.allocate(left.length + piece.length).put(left).put(piece).flip();
    CharBuffer chars = CharBuffer.allocate(bytes.remaining() + 1);
    decoder.decode(bytes, chars, false);
    left = new byte[bytes.remaining()];
    bytes.get(left);
    String text = chars.flip().toString();
    return escapes ? text : plain.add(text);
  }
}
