package dev.mainstay.domain;

import dev.mainstay.domain.Notebook.Section;
import java.util.Arrays;
import java.util.Locale;

/** How a note that was open comes to its end. */
public enum Resolution {
  /** An open issue is no issue any more. */
  SETTLED(Section.OPEN_ISSUES, "open issue"),
  /** A hypothesis turned out right: it becomes a decision. */
  CONFIRMED(Section.HYPOTHESES, "hypothesis"),
  /** A hypothesis turned out wrong: that it did is a decision, too, or it is tried again. */
  REFUTED(Section.HYPOTHESES, "hypothesis");

  private final Section section;
  private final String what;

  Resolution(Section section, String what) {
    this.section = section;
    this.what = what;
  }

  /** Where the note stands until then. */
  public Section section() {
    return section;
  }

  String what() {
    return what;
  }

  /** The name as people write it: {@code confirmed}. */
  public String typed() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Resolution parse(String typed) {
    String wanted = typed.strip().toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(how -> how.typed().equals(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                Refusal.invalid(
                    "\"" + typed + "\" is no way to resolve; use settled, confirmed or refuted"));
  }
}
