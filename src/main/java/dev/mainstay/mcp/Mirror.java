package dev.mainstay.mcp;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Headers that repeat what a request says, for those on the way who do not read it. One that says
 * something else is refused: two who believe different things must not both act.
 */
final class Mirror {
  static final String VERSION = "MCP-Protocol-Version";
  static final String SESSION = "Mcp-Session-Id";
  private static final String METHOD = "Mcp-Method";
  private static final String NAME = "Mcp-Name";
  private static final String ENCODED = "=?base64?";
  private static final String ENCODED_END = "?=";

  /** The parameter that {@code Mcp-Name} repeats. */
  private static final Map<String, String> NAMED =
      Map.of("tools/call", "name", "prompts/get", "name", "resources/read", "uri");

  private Mirror() {}

  static void check(HttpServletRequest http, Message request) {
    same(VERSION, header(http, VERSION), Stateless.version(request));
    same(METHOD, header(http, METHOD), request.called());
    String parameter = NAMED.get(request.called());
    if (parameter != null && request.params().get(parameter) instanceof String name) {
      same(NAME, decoded(header(http, NAME)), name);
    }
  }

  static @Nullable String header(HttpServletRequest http, String name) {
    String value = http.getHeader(name);
    return value == null ? null : value.strip();
  }

  private static void same(String header, @Nullable String said, String meant) {
    if (meant.equals(said)) return;
    throw new WireError(
        WireError.HEADER_MISMATCH,
        said == null
            ? "the header " + header + " is missing"
            : "the header " + header + " does not say what the request says",
        null);
  }

  private static @Nullable String decoded(@Nullable String value) {
    if (value == null || !value.startsWith(ENCODED) || !value.endsWith(ENCODED_END)) return value;
    if (value.length() < ENCODED.length() + ENCODED_END.length()) return value;
    String inner = value.substring(ENCODED.length(), value.length() - ENCODED_END.length());
    try {
      return new String(Base64.getDecoder().decode(inner), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException damaged) {
      throw new WireError(
          WireError.HEADER_MISMATCH, "the header " + NAME + " is not valid Base64", null);
    }
  }
}
