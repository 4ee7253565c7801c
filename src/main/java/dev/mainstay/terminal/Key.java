package dev.mainstay.terminal;

import dev.mainstay.domain.Nearest;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.List;
import java.util.stream.Stream;

/** A key that can be pressed in a terminal. */
public enum Key {
  ENTER("Enter"),
  ESCAPE("Escape"),
  TAB("Tab"),
  BACK_TAB("BTab"),
  SPACE("Space"),
  BACKSPACE("BSpace"),
  UP("Up"),
  DOWN("Down"),
  LEFT("Left"),
  RIGHT("Right"),
  HOME("Home"),
  END("End"),
  INTERRUPT("C-c"),
  END_OF_FILE("C-d");

  private final String inTmux;

  Key(String inTmux) {
    this.inTmux = inTmux;
  }

  String inTmux() {
    return inTmux;
  }

  /** By its name in tmux, whatever the case. */
  public static Key parse(String typed) {
    List<String> names = Stream.of(values()).map(Key::inTmux).toList();
    return Stream.of(values())
        .filter(each -> each.inTmux.equalsIgnoreCase(typed))
        .findFirst()
        .orElseThrow(
            () ->
                Refusal.invalid(
                    Phrase.of(
                        "there is no key \"%s\" to press; %s",
                        typed, Nearest.guess(typed, names))));
  }
}
