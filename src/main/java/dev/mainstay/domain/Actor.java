package dev.mainstay.domain;

import java.util.Locale;

/** Who did something. Written as {@code person:ada}, {@code agent:claude-code}, {@code system}. */
public record Actor(Kind kind, String name) {
  public static final int NAME_CHARS_MAX = 128;

  /** Persons have rights that agents lack; the system is Mainstay itself. */
  public enum Kind {
    PERSON,
    AGENT,
    SYSTEM
  }

  public static final Actor SYSTEM = new Actor(Kind.SYSTEM, "mainstay");

  public Actor {
    name = Text.line("an actor's name", name, NAME_CHARS_MAX);
  }

  public static Actor person(String name) {
    return new Actor(Kind.PERSON, name);
  }

  public static Actor agent(String name) {
    return new Actor(Kind.AGENT, name);
  }

  /** Reads what {@link #toString} wrote. */
  public static Actor parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 1) throw new IllegalArgumentException("not an actor: " + text);
    return new Actor(
        Kind.valueOf(text.substring(0, colon).toUpperCase(Locale.ROOT)), text.substring(colon + 1));
  }

  public boolean isPerson() {
    return kind == Kind.PERSON;
  }

  public boolean isAgent() {
    return kind == Kind.AGENT;
  }

  @Override
  public String toString() {
    return kind.name().toLowerCase(Locale.ROOT) + ":" + name;
  }
}
