package dev.mainstay.terminal;

import dev.mainstay.domain.Refusal;
import java.util.regex.Pattern;

/** Names that mean themselves to tmux and nothing else: no target, no format, no flag. */
final class TmuxNames {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");
  private static final Pattern PANE = Pattern.compile("%[0-9]{1,9}");
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");

  private TmuxNames() {}

  static String check(String what, String name) {
    if (NAME.matcher(name).matches()) return name;
    throw Refusal.invalid(
        "the name of a "
            + what
            + " has letters, digits, - and _, at most 64, and begins without -");
  }

  static String pane(String id) {
    if (PANE.matcher(id).matches()) return id;
    throw Refusal.invalid("a pane is known to tmux as % and a number");
  }

  static String variable(String name) {
    if (VARIABLE.matcher(name).matches()) return name;
    throw Refusal.invalid(
        "a variable of the environment has letters, digits and _, at most 128, and begins with no"
            + " digit");
  }
}
