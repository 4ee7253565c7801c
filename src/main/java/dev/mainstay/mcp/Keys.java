package dev.mainstay.mcp;

import dev.mainstay.domain.Call;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The key under which a call is done once. A host that repeats a call names the same use of the
 * tool; where it names none, a number of the connection is as good.
 */
final class Keys {
  /** Where hosts say which use of a tool a call belongs to. */
  private static final List<String> TOOL_USE = List.of("claudecode/toolUseId");

  private Keys() {}

  /** Null where a request has no number that would be its own, as over HTTP without a session. */
  static @Nullable String of(Message request, @Nullable String connection) {
    for (String name : TOOL_USE) {
      if (request.meta().get(name) instanceof String use && !use.isBlank()) {
        return fitting(name + ":" + use);
      }
    }
    return connection == null ? null : fitting(connection + ":" + request.id());
  }

  private static String fitting(String key) {
    boolean fits = key.length() <= Call.KEY_CHARS_MAX && key.chars().allMatch(c -> c >= ' ');
    return fits ? key : "sha256:" + sha256(key);
  }

  static String sha256(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
