package dev.mainstay.upkeep;

import dev.mainstay.domain.AccessToken;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Directives.Directive;
import dev.mainstay.domain.Flow;
import dev.mainstay.domain.FlowEvent;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStateEvent;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a store from elsewhere makes Mainstay believe: tokens that let a caller in, orders that bind
 * agents, flows and delegations that start agents, programs and windows of terminals, folders that
 * are written to, and triggers. They count only if a person said so.
 */
public final class ForeignContent {
  private static final Call CALL = Call.by(Actor.SYSTEM, "trust");
  private static final int FLOWS_MAX = 1_000;

  private ForeignContent() {}

  /** One thing that would be believed. */
  public record Item(String kind, String what) {}

  /** Lists it all, in a stable order. */
  public static List<Item> list(Store store) {
    return store.reading(ForeignContent::list);
  }

  private static List<Item> list(Tx tx) {
    List<Item> items = new ArrayList<>();
    for (AccessToken token : tx.accessTokens().list()) {
      String what = Phrase.of("%s, role %s, named \"%s\"", token.id(), token.role(), token.name());
      items.add(new Item("token", what));
    }
    for (TaskId task : tx.foreign().tasks()) {
      for (Directive order : binding(tx, task)) {
        String what = Phrase.of("%s: \"%s\" by %s", task, order.text(), order.author());
        items.add(new Item("binding order", what));
      }
    }
    for (Flow flow : enabled(tx)) {
      String what =
          Phrase.of(
              "%s starts %s at \"%s\"",
              flow.name(), flow.work().profile(), flow.timing().schedule());
      items.add(new Item("flow", what));
    }
    tx.terminals()
        .programs()
        .forEach(
            (id, program) -> items.add(new Item("program of a terminal", id + ": " + program)));
    for (String each : tx.foreign().delegations()) items.add(new Item("delegation", each));
    for (String each : tx.foreign().stateDirectories()) {
      items.add(new Item("state directory", each));
    }
    for (String name : tx.foreign().programs()) items.add(new Item("trigger or view", name));
    return items;
  }

  private static List<Directive> binding(Tx tx, TaskId task) {
    return tx.dossiers().get(task).dossier().state().directives().binding();
  }

  private static List<Flow> enabled(Tx tx) {
    return tx.flows().list("", FLOWS_MAX).stream().filter(f -> f.stamps().enabled()).toList();
  }

  /**
   * Takes it out of a store that is not in use yet: tokens are deleted, binding orders stay as
   * orders that do not bind, flows are disabled, open delegations and state directories are
   * removed, terminals are gone, triggers and views are dropped.
   *
   * @return what was taken out
   */
  public static List<Item> strip(Store store) {
    return store.inTransaction(
        Once.unkeyed(),
        tx -> {
          // First, or a trigger could undo what follows.
          List<Item> items = list(tx);
          tx.foreign().dropPrograms();
          for (AccessToken token : tx.accessTokens().list()) tx.accessTokens().delete(token.id());
          for (TaskId task : tx.foreign().tasks()) loosen(tx, task);
          for (Flow flow : enabled(tx)) disable(tx, flow);
          tx.terminals().removePrograms();
          tx.foreign().detach();
          return items;
        });
  }

  private static void loosen(Tx tx, TaskId task) {
    List<TaskStateEvent> events = new ArrayList<>();
    for (Directive order : binding(tx, task)) {
      events.add(new TaskStateEvent.DirectiveLifted(order.text()));
      events.add(new TaskStateEvent.DirectiveRecorded(order.text(), false, order.stepsLeft()));
    }
    if (events.isEmpty()) return;
    tx.dossiers().record(task, tx.dossiers().get(task), events, CALL);
  }

  private static void disable(Tx tx, Flow flow) {
    Optional<Flow> locked = tx.flows().lockIfThere(flow.name());
    if (locked.isEmpty()) return;
    tx.flows().put(locked.get().disabled(tx.now()));
    tx.journal().append(Flow.stream(flow.name()), CALL, List.of(new FlowEvent.Disabled()));
  }
}
