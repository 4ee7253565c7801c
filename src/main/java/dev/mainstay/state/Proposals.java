package dev.mainstay.state;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.ConstraintEvent;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Proposal;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Setting;
import java.util.ArrayList;
import java.util.List;

/** What is asked of persons, and what they decide. */
public final class Proposals {
  private Proposals() {}

  /** Asks, unless the same is asked already. */
  public static List<Event> ask(
      Execution execution, Proposal.Kind kind, String what, String wanted) {
    Execution.Review review = execution.review();
    if (review.find(kind, what, wanted).isPresent()) return List.of();
    if (review.open().size() >= Execution.Review.OPEN_MAX) {
      throw Refusal.conflict(
          Phrase.of(
              "%d proposals wait for a person already; 'mainstay exec accept' shows them",
              Execution.Review.OPEN_MAX));
    }
    return List.of(new ConstraintEvent.Proposed(review.proposals() + 1, kind, what, wanted));
  }

  /** Another value: at once, or as a proposal when it is looser and not for the caller to say. */
  public static List<Event> set(
      Execution execution, Setting setting, Object given, boolean mayLoosen) {
    Object value = setting.value(given);
    Object now = execution.setting(setting);
    if (now.equals(value)) return List.of();
    if (setting.isLooser(now, value) && !mayLoosen) {
      return ask(execution, Proposal.Kind.SETTING, setting.key(), setting.typed(value));
    }
    return List.of(new ConstraintEvent.SettingChanged(setting, value));
  }

  /** A person's answer; an accepted proposal takes effect in the same breath. */
  static List<Event> settle(Dossier dossier, int number, boolean accepted, Actor by) {
    Proposal proposal = dossier.execution().proposal(number);
    if (!by.isPerson()) {
      throw Refusal.conflict(
              Phrase.of(
                  "only a person, at a terminal and outside an agent, decides about proposals, and %s is none",
                  by))
          .reserved();
    }
    List<Event> events = new ArrayList<>();
    if (accepted) {
      switch (proposal.kind()) {
        case SETTING -> {
          Setting setting = Setting.of(proposal.what());
          events.add(new ConstraintEvent.SettingChanged(setting, proposal.wanted()));
        }
        case LIFT -> {
          boolean there =
              dossier.state().directives().items().stream()
                  .anyMatch(order -> order.text().equals(proposal.what()));
          if (there) events.addAll(dossier.state().liftDirective(proposal.what(), by));
        }
        case RULE -> {
          List<String> rules = new ArrayList<>(dossier.execution().constraints().rules());
          if (rules.remove(proposal.what())) events.add(new ConstraintEvent.RulesSet(rules));
        }
        case STEP -> {}
      }
    }
    events.add(new ConstraintEvent.Settled(number, accepted));
    return events;
  }
}
