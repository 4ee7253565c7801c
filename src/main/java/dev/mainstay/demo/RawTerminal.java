package dev.mainstay.demo;

import dev.mainstay.process.Programs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The terminal this program runs in, every key at once and none shown, and its way back. */
final class RawTerminal {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final int ROWS_USUAL = 24;
  private static final int COLUMNS_USUAL = 80;

  private final Optional<String> before;
  private final int rows;
  private final int columns;

  private RawTerminal(Optional<String> before, int rows, int columns) {
    this.before = before;
    this.rows = rows;
    this.columns = columns;
  }

  /** Without a terminal all goes on, with the size terminals usually have. */
  static RawTerminal take() {
    Optional<String> before = stty("-g");
    String[] size = stty("size").orElse("").split(" ");
    stty("raw", "-echo");
    return size.length == 2
        ? new RawTerminal(before, number(size[0], ROWS_USUAL), number(size[1], COLUMNS_USUAL))
        : new RawTerminal(before, ROWS_USUAL, COLUMNS_USUAL);
  }

  /** A size as a terminal says it; of one that says none, or says 0, the usual one. */
  static int number(String said, int usual) {
    int number = 0;
    for (int i = 0; i < Math.min(4, said.length()); i++) {
      int digit = Character.digit(said.charAt(i), 10);
      if (digit < 0) return usual;
      number = number * 10 + digit;
    }
    return number == 0 ? usual : number;
  }

  int rows() {
    return rows;
  }

  int columns() {
    return columns;
  }

  void giveBack() {
    before.ifPresent(RawTerminal::stty);
  }

  private static Optional<String> stty(String... arguments) {
    List<String> argv = new ArrayList<>(List.of("stty"));
    argv.addAll(List.of(arguments));
    return Programs.runOnTerminal(argv, LIMIT)
        .filter(ended -> ended.exit() == 0)
        .map(ended -> ended.output().strip());
  }
}
