package dev.mainstay.dashboard;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** A file of the page as it is sent: plain, and smaller where that is worth it. */
final class PageFile {
  private static final int TAG_CHARS = 32;
  private static final int ZIPPED_BYTES_MIN = 512;

  /** Everything a page may be made of; a file of another kind is none of it. */
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml",
          "txt", "text/plain; charset=utf-8");

  private final String type;
  private final byte[] plain;
  private final byte[] zipped;
  private final String hash;

  private PageFile(String type, byte[] plain) {
    this.type = type;
    this.plain = plain;
    this.zipped = zip(plain);
    this.hash = hash(plain);
  }

  static Optional<String> type(String name) {
    return Optional.ofNullable(TYPES.get(name.substring(name.lastIndexOf('.') + 1)));
  }

  static PageFile of(String name, byte[] content) {
    String type = type(name).orElseThrow(() -> new IllegalArgumentException(name));
    return new PageFile(type, content);
  }

  /** A page of one sentence, for when there is no other. */
  static PageFile saying(String sentence) {
    String text =
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Mainstay</title><p>"
            + sentence
            + "</p></html>\n";
    return of("sentence.html", text.getBytes(StandardCharsets.UTF_8));
  }

  String type() {
    return type;
  }

  boolean canZip() {
    return zipped.length < plain.length;
  }

  byte[] content(boolean small) {
    return small ? zipped : plain;
  }

  /** The two forms of a file have other bytes, and so other tags. */
  String tag(boolean small) {
    return '"' + hash + (small ? "-gzip" : "") + '"';
  }

  private static byte[] zip(byte[] plain) {
    if (plain.length < ZIPPED_BYTES_MIN) return plain;
    var bytes = new ByteArrayOutputStream(plain.length / 3);
    try (var out = new Tight(bytes)) {
      out.write(plain);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  /** As small as can be, for it is made once and sent often. */
  private static final class Tight extends GZIPOutputStream {
    Tight(ByteArrayOutputStream bytes) throws IOException {
      super(bytes);
      def.setLevel(Deflater.BEST_COMPRESSION);
    }
  }

  private static String hash(byte[] content) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
      return HexFormat.of().formatHex(digest).substring(0, TAG_CHARS);
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException(missing);
    }
  }
}
