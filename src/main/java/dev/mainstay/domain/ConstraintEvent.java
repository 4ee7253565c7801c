package dev.mainstay.domain;

import dev.mainstay.domain.JournalEntry.Origin;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What happened to the constraints of an execution, and to what a person decides about them. */
public sealed interface ConstraintEvent extends ExecutionEvent {
  /** Every kind of event and how its payload is read. */
  Map<String, Function<JsonObject, ExecutionEvent>> READERS =
      Map.of(
          "exec.setting_changed", SettingChanged::read,
          "exec.adapted", Adapted::read,
          "exec.rules_standing", p -> new RulesStanding(p.texts("rules")),
          "exec.rules_set", p -> new RulesSet(p.texts("rules")),
          "exec.behaviours_set", BehavioursSet::read,
          "exec.proposed", Proposed::read,
          "exec.proposal_settled", Settled::read);

  /** Somebody gave a constraint another value. */
  record SettingChanged(Setting setting, Object value) implements ConstraintEvent {
    public SettingChanged {
      value = setting.value(value);
    }

    @Override
    public Execution applyTo(Execution before, Origin origin) {
      return before.with(before.constraints().with(setting, value));
    }

    @Override
    public String kind() {
      return "exec.setting_changed";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("setting", setting.key(), "value", Setting.written(value));
    }

    static SettingChanged read(JsonObject payload) {
      return new SettingChanged(Setting.of(payload.text("setting")), given(payload));
    }
  }

  private static Object given(JsonObject payload) {
    return payload.get("value") instanceof List<?> items ? items : payload.text("value");
  }

  /** A rule gave a constraint another value, because of these figures. */
  record Adapted(Setting setting, Object value, String rule, JsonObject figures)
      implements ConstraintEvent {
    public Adapted {
      value = setting.value(value);
    }

    @Override
    public Execution applyTo(Execution before, Origin origin) {
      return before.with(before.constraints().with(setting, value));
    }

    @Override
    public String kind() {
      return "exec.adapted";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("setting", setting.key(), "value", Setting.written(value), "rule", rule)
          .with("figures", figures);
    }

    static Adapted read(JsonObject payload) {
      return new Adapted(
          Setting.of(payload.text("setting")),
          given(payload),
          payload.text("rule"),
          payload.object("figures"));
    }
  }

  /** The rules whose conditions hold are now others; one acts when its condition begins to hold. */
  record RulesStanding(List<String> rules) implements ConstraintEvent {
    public RulesStanding {
      rules = List.copyOf(rules);
    }

    @Override
    public Execution applyTo(Execution before, Origin origin) {
      return before.with(before.review().standing(rules));
    }

    @Override
    public String kind() {
      return "exec.rules_standing";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("rules", rules);
    }
  }

  /** The adaptation rules are now these lines. */
  record RulesSet(List<String> rules) implements ConstraintEvent {
    public RulesSet {
      rules = List.copyOf(rules);
    }

    @Override
    public Execution applyTo(Execution before, Origin origin) {
      return before.with(before.constraints().withRules(rules));
    }

    @Override
    public String kind() {
      return "exec.rules_set";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("rules", rules);
    }
  }

  /** The behaviours are now these. */
  record BehavioursSet(List<Behaviour> behaviours) implements ConstraintEvent {
    public BehavioursSet {
      behaviours = List.copyOf(behaviours);
    }

    @Override
    public Execution applyTo(Execution before, Origin origin) {
      return before.with(before.constraints().withBehaviours(behaviours));
    }

    @Override
    public String kind() {
      return "exec.behaviours_set";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("behaviours", behaviours.stream().map(Behaviour::toJson).toList());
    }

    static BehavioursSet read(JsonObject payload) {
      return new BehavioursSet(
          payload.objects("behaviours").stream().map(Behaviour::fromJson).toList());
    }
  }

  /** Something was asked for that only a person decides. */
  record Proposed(int number, Proposal.Kind about, String what, String wanted)
      implements ConstraintEvent {
    @Override
    public Execution applyTo(Execution before, Origin origin) {
      return before.with(before.review().with(new Proposal(number, about, what, wanted, origin)));
    }

    @Override
    public String kind() {
      return "exec.proposed";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("number", number, "about", about, "what", what, "wanted", wanted);
    }

    static Proposed read(JsonObject payload) {
      return new Proposed(
          payload.integer("number"),
          Proposal.Kind.valueOf(payload.text("about")),
          payload.text("what"),
          payload.text("wanted"));
    }
  }

  /** A person accepted a proposal or turned it down. What it asked for is an event of its own. */
  record Settled(int number, boolean accepted) implements ConstraintEvent {
    @Override
    public Execution applyTo(Execution before, Origin origin) {
      Proposal proposal = before.proposal(number);
      Execution.Review rest = before.review().without(number);
      boolean approves = accepted && proposal.kind() == Proposal.Kind.STEP;
      return before.with(approves ? rest.approving(proposal.wanted()) : rest);
    }

    @Override
    public String kind() {
      return "exec.proposal_settled";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("number", number, "accepted", accepted);
    }

    static Settled read(JsonObject payload) {
      return new Settled(payload.integer("number"), Boolean.TRUE.equals(payload.get("accepted")));
    }
  }
}
