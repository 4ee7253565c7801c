package dev.mainstay.rules;

/** What a figure is that conditions are written over. Numbers are decimals throughout. */
public enum Figure {
  NUMBER("a number"),
  TEXT("a text"),
  FLAG("true or false");

  private final String words;

  Figure(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }
}
