package dev.mainstay.render;

import java.util.List;

/** One part of a prompt, such as the goals. Higher priority is more important. */
public record Section(String name, int priority, Volatility volatility, Body body) {
  /** Stable sections come first, so that they are the same bytes from turn to turn. */
  public enum Volatility {
    STABLE,
    VOLATILE
  }

  /** How entries look: as a list, or as lines that bring their own layout. */
  public enum Style {
    BULLETS("- "),
    LINES("");

    private final String bullet;

    Style(String bullet) {
      this.bullet = bullet;
    }

    String bullet() {
      return bullet;
    }
  }

  /** Which entries stay when not all fit; those that stay keep their order. */
  public enum Keep {
    FIRST,
    LAST
  }

  /** What it says. Blank items are no items. */
  public record Body(String heading, Style style, Keep keep, List<String> items) {
    public Body {
      items = items.stream().filter(item -> !item.isBlank()).toList();
    }
  }

  public Section {
    Delimiters.open(name); // refuses what is no name of a block
  }

  public static Section stable(String name, int priority, List<String> items) {
    return new Section(
        name, priority, Volatility.STABLE, new Body("", Style.BULLETS, Keep.FIRST, items));
  }

  public static Section changing(String name, int priority, List<String> items) {
    return new Section(
        name, priority, Volatility.VOLATILE, new Body("", Style.BULLETS, Keep.FIRST, items));
  }

  public Section headed(String heading) {
    return with(new Body(heading, body.style(), body.keep(), body.items()));
  }

  /** Entries without bullets. */
  public Section asLines() {
    return with(new Body(body.heading(), Style.LINES, body.keep(), body.items()));
  }

  /** For lists whose newest entry is the last: a cut drops the oldest. */
  public Section keepingLast() {
    return with(new Body(body.heading(), body.style(), Keep.LAST, body.items()));
  }

  public List<String> items() {
    return body.items();
  }

  boolean isStable() {
    return volatility == Volatility.STABLE;
  }

  private Section with(Body newBody) {
    return new Section(name, priority, volatility, newBody);
  }
}
