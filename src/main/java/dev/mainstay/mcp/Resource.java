package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import java.util.List;
import java.util.regex.Pattern;

/** Something that can be read by its address, or by one that fits the template. */
public record Resource(
    String uri, String name, String description, String mimeType, Reading reading) {

  /** The contents as the protocol writes them; an address that names nothing is refused. */
  @FunctionalInterface
  public interface Reading {
    List<JsonObject> read(Asking asking, String uri);
  }

  /** Whether the address is a template, such as {@code mainstay://tasks/{id}/state}. */
  public boolean isTemplate() {
    return uri.contains("{");
  }

  /** Whether the address is this one, or one that the template makes. */
  boolean fits(String address) {
    if (!isTemplate()) return uri.equals(address);
    StringBuilder pattern = new StringBuilder();
    for (String part : uri.split("(?=\\{)|(?<=\\})")) {
      pattern.append(part.startsWith("{") ? "[^/]+" : Pattern.quote(part));
    }
    return address.matches(pattern.toString());
  }
}
