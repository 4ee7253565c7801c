package dev.mainstay.domain;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * How an agent behaves and how far it may go. The rules are lines as somebody wrote them; one that
 * cannot be read stays where it is and is reported, and the others hold.
 */
public record Constraints(Settings settings, List<String> rules, List<Behaviour> behaviours) {
  public static final int RULES_MAX = 50;
  public static final int BEHAVIOURS_MAX = 50;

  public Constraints {
    rules =
        rules.stream()
            .map(rule -> Text.line("an adaptation rule", rule, AdaptationRule.RULE_CHARS_MAX))
            .toList();
    behaviours = List.copyOf(behaviours);
    if (rules.size() > RULES_MAX || behaviours.size() > BEHAVIOURS_MAX) {
      throw Refusal.tooLarge(
          Phrase.of(
              "there are at most %d adaptation rules and %d behaviours; take some away",
              RULES_MAX, BEHAVIOURS_MAX));
    }
    if (new HashSet<>(rules).size() < rules.size()) {
      throw Refusal.invalid("an adaptation rule stands there twice; take one of them away");
    }
    long names = behaviours.stream().map(Behaviour::name).distinct().count();
    if (names < behaviours.size()) {
      throw Refusal.invalid("a behaviour stands there twice; take one of them away");
    }
  }

  public Optional<Behaviour> behaviour(String name) {
    return behaviours.stream().filter(each -> each.name().equals(name)).findFirst();
  }

  Constraints with(Setting setting, Object value) {
    return new Constraints(settings.with(setting, value), rules, behaviours);
  }

  /** The same, but where it would go further than others did, as far as those. */
  public Constraints noLooserThan(Constraints others) {
    Constraints strict = this;
    for (Setting setting : Setting.values()) {
      Object theirs = others.settings.get(setting);
      if (setting.isLooser(theirs, settings.get(setting))) strict = strict.with(setting, theirs);
    }
    return strict;
  }

  Constraints withRules(List<String> newRules) {
    return new Constraints(settings, newRules, behaviours);
  }

  Constraints withBehaviours(List<Behaviour> newBehaviours) {
    return new Constraints(settings, rules, newBehaviours);
  }

  public JsonObject toJson() {
    return JsonObject.of("settings", settings.toJson(), "rules", rules)
        .with("behaviours", behaviours.stream().map(Behaviour::toJson).toList());
  }

  static Constraints fromJson(JsonObject json) {
    return new Constraints(
        Settings.fromJson(json.object("settings")),
        json.texts("rules"),
        json.objects("behaviours").stream().map(Behaviour::fromJson).toList());
  }
}
