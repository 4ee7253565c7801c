package dev.mainstay.diagram;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a file by what its first bytes and its XML declaration say about its encoding. Only
 * encodings in which a byte or a pair of them always means the same are read, and a byte that means
 * nothing is refused, so that no text comes out that others would read otherwise.
 */
final class FileText {
  private static final Pattern KNOWN =
      Pattern.compile("utf-8|us-ascii|iso-8859-([1-9]|1[0-6])|windows-125[0-8]");
  private static final Pattern DECLARED =
      Pattern.compile(
          "\\A<\\?xml\\s[^>]{0,200}?encoding\\s*=\\s*[\"']([A-Za-z0-9._:-]{1,40})[\"']");
  private static final int DECLARATION_BYTES_MAX = 300;

  private FileText() {}

  static String of(byte[] bytes) {
    if (begins(bytes, 0xEF, 0xBB, 0xBF)) return text(bytes, 3, StandardCharsets.UTF_8);
    if (begins(bytes, 0xFE, 0xFF)) return text(bytes, 2, StandardCharsets.UTF_16BE);
    if (begins(bytes, 0xFF, 0xFE)) return text(bytes, 2, StandardCharsets.UTF_16LE);
    if (begins(bytes, 0, '<', 0, '?')) return text(bytes, 0, StandardCharsets.UTF_16BE);
    if (begins(bytes, '<', 0, '?', 0)) return text(bytes, 0, StandardCharsets.UTF_16LE);
    return text(bytes, 0, declared(bytes));
  }

  private static boolean begins(byte[] bytes, int... with) {
    if (bytes.length < with.length) return false;
    for (int i = 0; i < with.length; i++) if ((bytes[i] & 0xFF) != with[i]) return false;
    return true;
  }

  /** All that can be declared here writes a declaration in the same bytes. */
  private static Charset declared(byte[] bytes) {
    int length = Math.min(bytes.length, DECLARATION_BYTES_MAX);
    Matcher said = DECLARED.matcher(new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
    if (!said.find()) return StandardCharsets.UTF_8;
    String name = said.group(1);
    try {
      Charset charset = Charset.isSupported(name) ? Charset.forName(name) : null;
      boolean isKnown =
          charset != null && KNOWN.matcher(charset.name().toLowerCase(Locale.ROOT)).matches();
      if (charset != null && isKnown) return charset;
    } catch (IllegalCharsetNameException none) {
      throw unknown(name);
    }
    throw unknown(name);
  }

  private static Refusal unknown(String name) {
    return Refusal.invalid(
        Phrase.of(
            "the file says that it is written in %s, which is not read here; export it as UTF-8",
            name));
  }

  /**
   * The same text with a declaration that is true when it is written as UTF-8.
   *
   * @param text as {@link #of} returned it: its declaration may name the encoding of the file
   */
  static String declaringUtf8(String text) {
    boolean marked = text.startsWith("\uFEFF");
    Matcher said = DECLARED.matcher(marked ? text.substring(1) : text);
    if (!said.find() || said.group(1).equalsIgnoreCase("utf-8")) return text;
    int offset = marked ? 1 : 0;
    return text.substring(0, offset + said.start(1))
        + "UTF-8"
        + text.substring(offset + said.end(1));
  }

  private static String text(byte[] bytes, int from, Charset charset) {
    try {
      return charset
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(bytes, from, bytes.length - from))
          .toString();
    } catch (CharacterCodingException malformed) {
      throw Refusal.invalid(
          Phrase.of(
              "the workflow is not valid %s; convert it, for example with iconv", charset.name()));
    }
  }
}
