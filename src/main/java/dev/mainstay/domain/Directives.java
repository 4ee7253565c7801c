package dev.mainstay.domain;

import dev.mainstay.domain.JournalEntry.Origin;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The standing orders of a task, newest last. Binding ones come from persons and survive
 * everything; of the others the oldest gives way, which is counted.
 */
public record Directives(List<Directive> items, long dropped) {
  public static final int BINDING_MAX = 8;
  public static final int OTHERS_MAX = 8;
  public static final int DIRECTIVE_CHARS_MAX = 1_024;

  public static final Directives NONE = new Directives(List.of(), 0);

  /**
   * One order in the words in which it was given, with who gave it through which door, when. One
   * that was given for a number of steps says how many of them are left. Whether it is confirmed is
   * not stored: it says whether the store it was read from is trusted.
   */
  public record Directive(
      String text, boolean binding, Origin origin, @Nullable Integer stepsLeft, boolean confirmed) {
    public Directive {
      text = words(text);
      if (text.isEmpty()) throw new IllegalStateException("a blank directive");
      if (binding && !origin.actor().isPerson()) throw notAPerson(origin.actor());
    }

    /** One that holds until it is lifted. */
    public Directive(String text, boolean binding, Origin origin) {
      this(text, binding, origin, null);
    }

    public Directive(String text, boolean binding, Origin origin, @Nullable Integer stepsLeft) {
      this(text, binding, origin, stepsLeft, true);
    }

    /** Whether it binds here: one of a store that came from elsewhere is only shown. */
    public boolean binds() {
      return binding && confirmed;
    }

    public Actor author() {
      return origin.actor();
    }

    /** The same after one step more. */
    Directive aged() {
      if (stepsLeft == null || stepsLeft == 0) return this;
      return new Directive(text, binding, origin, stepsLeft - 1, confirmed);
    }

    /** The same order in other words, for a reader. */
    public Directive with(String words) {
      return new Directive(words, binding, origin, stepsLeft, confirmed);
    }

    boolean isOver() {
      return stepsLeft != null && stepsLeft == 0;
    }

    JsonObject toJson() {
      return Note.write(origin)
          .with("text", text)
          .with("binding", binding)
          .with("steps_left", stepsLeft);
    }

    /** As interfaces show it; an order that claims to bind and is not confirmed does not bind. */
    JsonObject toShownJson() {
      if (!binding || confirmed) return toJson();
      return toJson().with("binding", false).with("confirmed", false);
    }

    static Directive fromJson(JsonObject json) {
      return new Directive(
          json.text("text"),
          Boolean.TRUE.equals(json.get("binding")),
          Note.read(json),
          json.integerOrNull("steps_left"));
    }
  }

  public Directives {
    items = List.copyOf(items);
    long binding = items.stream().filter(Directive::binding).count();
    if (binding > BINDING_MAX || items.size() - binding > OTHERS_MAX || dropped < 0) {
      throw new IllegalStateException(items.size() + " directives, " + binding + " binding");
    }
    if (new HashSet<>(texts(items)).size() < items.size()) {
      throw new IllegalStateException("a directive twice");
    }
  }

  /** Decides on a new order: nothing for a blank one, nor for an agent's echo of a binding one. */
  List<TaskStateEvent> record(String text, boolean binding, Actor by) {
    String words = words(text);
    if (words.isEmpty()) return List.of();
    if (binding && !by.isPerson()) throw notAPerson(by);
    boolean wasBinding = find(words).map(Directive::binding).orElse(false);
    if (wasBinding && !by.isPerson()) return List.of();
    if (binding && !wasBinding && binding().size() == BINDING_MAX) {
      throw Refusal.conflict(
          Phrase.of(
              "there are already %d binding directives; lift one of them first: %s",
              BINDING_MAX, bindingByPlace()));
    }
    // A person who repeats a binding order without the word "binding" does not lift it.
    return List.of(new TaskStateEvent.DirectiveRecorded(words, binding || wasBinding));
  }

  /** With the numbers that lifting takes, which count all directives. */
  private String bindingByPlace() {
    return binding().stream()
        .map(directive -> (items.indexOf(directive) + 1) + ". \"" + directive.text() + "\"")
        .collect(Collectors.joining(", "));
  }

  /** Decides to lift an order: persons may lift any, others only what they gave themselves. */
  List<TaskStateEvent> lift(String item, Actor by) {
    Directive directive = items.get(Choice.of("directive", item, texts(items)));
    if (!by.isPerson() && !directive.author().equals(by)) {
      throw Refusal.invalid(
              Phrase.of(
                  "this directive was given by %s; only that author or a person can lift it",
                  directive.author()))
          .reserved();
    }
    return List.of(new TaskStateEvent.DirectiveLifted(directive.text()));
  }

  Directives with(TaskStateEvent.DirectiveRecorded order, Origin origin) {
    String text = order.text();
    boolean binding = order.binding();
    Origin author = find(text).map(was -> Note.author(was.origin(), origin)).orElse(origin);
    List<Directive> next = new ArrayList<>(without(text).items());
    // Binding makes it the order of the person who says so, whoever said it before.
    next.add(new Directive(text, binding, binding ? origin : author, order.steps()));
    List<Directive> others = next.stream().filter(directive -> !directive.binding()).toList();
    int over = Math.max(0, others.size() - OTHERS_MAX);
    next.removeAll(others.subList(0, over));
    return new Directives(next, dropped + over);
  }

  /** After one step more; those that are over are lifted by events of their own. */
  Directives aged() {
    return new Directives(items.stream().map(Directive::aged).toList(), dropped);
  }

  /** The same as data of a store that is not trusted. */
  Directives unconfirmed() {
    return new Directives(
        items.stream()
            .map(d -> new Directive(d.text(), d.binding(), d.origin(), d.stepsLeft(), false))
            .toList(),
        dropped);
  }

  /** Those that ended with the last step. */
  List<TaskStateEvent> expired() {
    return items.stream()
        .filter(Directive::isOver)
        .<TaskStateEvent>map(order -> new TaskStateEvent.DirectiveLifted(order.text()))
        .toList();
  }

  Directives without(String text) {
    return new Directives(
        items.stream().filter(directive -> !directive.text().equals(text)).toList(), dropped);
  }

  /** Those that hold whatever happens, newest last. */
  public List<Directive> binding() {
    return items.stream().filter(Directive::binding).toList();
  }

  private Optional<Directive> find(String text) {
    return items.stream().filter(directive -> directive.text().equals(text)).findFirst();
  }

  private static List<String> texts(List<Directive> directives) {
    return directives.stream().map(Directive::text).toList();
  }

  private static String words(String text) {
    return Text.body("a directive", text, DIRECTIVE_CHARS_MAX).strip();
  }

  private static Refusal notAPerson(Actor actor) {
    return Refusal.invalid(
            Phrase.of(
                "only a person, at a terminal and outside an agent, gives binding directives, and %s is none; give it without --binding",
                actor))
        .reserved();
  }
}
