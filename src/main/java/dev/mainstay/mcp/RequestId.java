package dev.mainstay.mcp;

import dev.mainstay.domain.Refusal;
import dev.mainstay.json.JsonText;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Finds the id of a message that cannot be parsed because it is too long, too deep or not JSON, so
 * that the client's call fails at once instead of at its timeout. It reads byte by byte and keeps
 * only the member at hand: clients write the id at the beginning or, as the SDK for TypeScript, at
 * the end.
 */
final class RequestId {
  private static final int MEMBER_BYTES_MAX = 512;

  private final ByteArrayOutputStream member = new ByteArrayOutputStream();
  private int depth;
  private boolean over;
  private boolean inString;
  private boolean escaped;
  private boolean inValue;
  private String name = "";
  private int ids;
  private @Nullable Object id;

  static @Nullable Object in(byte[] message) {
    RequestId request = new RequestId();
    for (byte each : message) request.read(each);
    return request.found();
  }

  /** The id, or null if there is none, more than one, or none that a request may have. */
  @Nullable Object found() {
    return ids == 1 ? id : null;
  }

  void read(int b) {
    if (over) return;
    if (inString) {
      readInString(b);
      return;
    }
    switch (b) {
      case '"' -> {
        inString = true;
        keep(b);
      }
      case '{', '[' -> {
        if (++depth == 1) over = b == '[';
      }
      case '}', ']' -> {
        endMember();
        over = --depth <= 0;
      }
      case ',' -> endMember();
      case ':' -> {
        if (depth == 1) {
          name = member.toString(StandardCharsets.UTF_8);
          member.reset();
          inValue = true;
        }
      }
      case ' ', '\t', '\r', '\n' -> {
        // between the parts of a message
      }
      default -> {
        if (depth == 0) over = true;
        keep(b);
      }
    }
  }

  private void readInString(int b) {
    keep(b);
    if (escaped) escaped = false;
    else if (b == '\\') escaped = true;
    else if (b == '"') inString = false;
  }

  private void keep(int b) {
    if (depth == 1 && member.size() < MEMBER_BYTES_MAX) member.write(b);
  }

  private void endMember() {
    if (depth != 1) return;
    if (inValue && name.equals("\"id\"")) {
      ids++;
      id = parsed(member.toString(StandardCharsets.UTF_8));
    }
    inValue = false;
    member.reset();
  }

  private static @Nullable Object parsed(String value) {
    try {
      return valid(JsonText.object("{\"id\":" + value + "}").get("id"));
    } catch (Refusal unreadable) {
      return null;
    }
  }

  /** A string, or an integer of 64 bits; null for anything else. */
  static @Nullable Object valid(@Nullable Object given) {
    if (given instanceof String || given instanceof Long) return given;
    if (!(given instanceof BigDecimal number) || number.scale() != 0) return null;
    return number.toBigInteger().bitLength() < Long.SIZE ? (Object) number.longValueExact() : null;
  }
}
