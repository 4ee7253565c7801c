package dev.mainstay.cli;

/** Colour on a screen that shows it, and plain text everywhere else. */
enum Colour {
  RED(31),
  GREEN(32),
  YELLOW(33);

  private final int code;

  Colour(int code) {
    this.code = code;
  }

  String on(String text, Io.Screen screen) {
    return screen.colour() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
