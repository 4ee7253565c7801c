package dev.mainstay.domain;

import dev.mainstay.domain.JournalEntry.Origin;

/**
 * Something that only a person decides: to loosen a limit, to go on with a step, to lift an order.
 */
public record Proposal(int number, Kind kind, String what, String wanted, Origin origin) {
  /** What it is about. */
  public enum Kind {
    /** Another value of the constraint {@code what}. */
    SETTING,
    /** To start the step with the label {@code what}, as {@code wanted} knows it. */
    STEP,
    /** To lift the binding directive {@code what}. */
    LIFT,
    /** To drop the adaptation rule {@code what}, which tightens a limit. */
    RULE
  }

  boolean asksForTheSameAs(Kind otherKind, String otherWhat, String otherWanted) {
    return kind == otherKind && what.equals(otherWhat) && wanted.equals(otherWanted);
  }

  /** In one line for a person. */
  public String shown(Execution execution) {
    return switch (kind) {
      case SETTING -> {
        Setting setting = Setting.of(what);
        Object now = execution.constraints().settings().get(setting);
        yield Phrase.of(
            "%s: %s to %s", what, setting.shown(now), setting.shown(setting.value(wanted)));
      }
      case STEP -> Phrase.of("start step \"%s\"", what);
      case RULE -> Phrase.of("drop the rule \"%s\"", what);
      case LIFT -> Phrase.of("lift the directive \"%s\"", what);
    };
  }

  JsonObject toJson() {
    return Note.write(origin)
        .with("number", number)
        .with("kind", kind)
        .with("what", what)
        .with("wanted", wanted);
  }

  static Proposal fromJson(JsonObject json) {
    return new Proposal(
        json.integer("number"),
        Kind.valueOf(json.text("kind")),
        json.text("what"),
        json.text("wanted"),
        Note.read(json));
  }
}
