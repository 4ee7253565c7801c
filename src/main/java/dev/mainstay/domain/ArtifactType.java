package dev.mainstay.domain;

import java.util.Locale;
import java.util.regex.Pattern;

/** What an artifact is. A few are known by name; any other name in capitals will do. */
public record ArtifactType(String name) {
  private static final Pattern SHAPE = Pattern.compile("[A-Z][A-Z0-9_]{0,31}");

  public static final ArtifactType CODE = new ArtifactType("CODE");
  public static final ArtifactType LOG = new ArtifactType("LOG");
  public static final ArtifactType TEST_RESULT = new ArtifactType("TEST_RESULT");

  public ArtifactType {
    name = name.strip().toUpperCase(Locale.ROOT);
    if (!SHAPE.matcher(name).matches()) {
      throw Refusal.invalid(
          "an artifact's type is CODE, LOG, TEST_RESULT, ERROR, DIFF or another name of up to 32"
              + " letters, digits and underscores that begins with a letter");
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
