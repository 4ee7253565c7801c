package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Node.Hands;
import dev.mainstay.bpmn.Node.Inner;
import dev.mainstay.bpmn.Node.Loop;
import dev.mainstay.bpmn.Node.Order;
import dev.mainstay.bpmn.Node.Rule;
import dev.mainstay.bpmn.Node.TimerKind;
import dev.mainstay.bpmn.Node.Traits;
import dev.mainstay.bpmn.Node.Trigger;
import dev.mainstay.bpmn.Node.Wording;
import dev.mainstay.bpmn.Node.Yield;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is special about a node, as fields of its JSON. */
final class TraitsJson {
  private static final List<String> TRIGGERS = List.of("timer", "message", "error", "terminate");

  private final JsonObject json;
  private final String of;

  TraitsJson(JsonObject json, String of) {
    this.json = json;
    this.of = of;
  }

  static JsonObject write(JsonObject node, Traits traits) {
    JsonObject json = trigger(node, traits.trigger());
    Order order = traits.order();
    if (order != null) json = order(json, order);
    json = json.with("loop", loop(traits.loop()));
    if (traits.inner() instanceof Inner.Call call) json = json.with("calls", call.workflow());
    if (traits.inner() instanceof Inner.AdHoc adHoc) {
      json =
          json.with(
              "ad_hoc",
              JsonObject.of(
                  "sequential", adHoc.sequential() ? true : null,
                  "until", adHoc.until(),
                  "cancel_rest", adHoc.cancelRest() ? null : false));
    }
    json = json.with("result", traits.gives().result());
    List<Rule> rules = traits.gives().rules();
    if (rules.isEmpty()) return json;
    return json.with(
        "rules",
        rules.stream()
            .map(each -> JsonObject.of("when", each.when(), "gives", each.gives()))
            .toList());
  }

  private static JsonObject trigger(JsonObject node, @Nullable Trigger trigger) {
    if (trigger instanceof Trigger.Timer timer) {
      return node.with("timer", JsonObject.of(typed(timer.kind()), timer.text()));
    }
    if (trigger instanceof Trigger.Message message) {
      return node.with(
          "message",
          JsonObject.of(
              "name", message.name(),
              "correlation", message.correlation(),
              "content", message.content()));
    }
    if (trigger instanceof Trigger.Fault fault) {
      return node.with("error", JsonObject.of("code", fault.code()));
    }
    return trigger == null ? node : node.with("terminate", true);
  }

  private static String typed(TimerKind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static JsonObject order(JsonObject node, Order order) {
    Wording wording = order.wording();
    Hands hands = order.hands();
    return node.with("type", order.type().equals(Order.TYPE) ? null : order.type())
        .with("priority", order.priority() == 0 ? null : order.priority())
        .with("title", DefinitionJson.notEmpty(wording.title()))
        .with("description", DefinitionJson.notEmpty(wording.description()))
        .with("answers", wording.answers().isEmpty() ? null : wording.answers())
        .with("profile", hands.profile())
        .with("provider", hands.provider())
        .with("worktree", hands.worktree() ? true : null)
        .with("metadata", order.metadata().isEmpty() ? null : order.metadata());
  }

  private static @Nullable JsonObject loop(@Nullable Loop loop) {
    if (loop == null) return null;
    return JsonObject.of(
        "collection", loop.collection(),
        "item", loop.item().equals(Loop.ITEM) ? null : loop.item(),
        "sequential", loop.sequential() ? true : null,
        "until", loop.until(),
        "results", loop.results());
  }

  /** What was said; a call activity and an ad-hoc sub-process are such without a word, too. */
  Traits read(NodeKind kind) {
    return new Traits(
        trigger(), order(), loop(), inner(kind), new Yield(text(json, "result"), rules()));
  }

  private @Nullable Trigger trigger() {
    List<String> given = TRIGGERS.stream().filter(json::has).toList();
    if (given.isEmpty()) return null;
    if (given.size() > 1) {
      throw Refusal.invalid(
          Phrase.of("%s has %s; keep one of them", of, String.join(" and ", given)));
    }
    return switch (given.get(0)) {
      case "timer" -> timer();
      case "message" -> {
        JsonObject message = object("message", List.of("name", "correlation", "content"));
        yield new Trigger.Message(
            Objects.requireNonNullElse(text(message, "name"), ""),
            text(message, "correlation"),
            text(message, "content"));
      }
      case "error" -> new Trigger.Fault(text(object("error", List.of("code")), "code"));
      default -> DefinitionJson.flag(json, "terminate", false, of) ? new Trigger.Terminate() : null;
    };
  }

  private Trigger timer() {
    List<String> kinds = Arrays.stream(TimerKind.values()).map(TraitsJson::typed).toList();
    JsonObject timer = object("timer", kinds);
    List<String> given = kinds.stream().filter(timer::has).toList();
    if (given.size() != 1) {
      throw Refusal.invalid(
          Phrase.of("the timer of %s is one of %s", of, String.join(", ", kinds)));
    }
    TimerKind kind = TimerKind.valueOf(given.get(0).toUpperCase(Locale.ROOT));
    return new Trigger.Timer(kind, Objects.requireNonNullElse(text(timer, given.get(0)), ""));
  }

  private @Nullable Order order() {
    Order order =
        new Order(
            Objects.requireNonNullElse(text(json, "type"), Order.TYPE),
            priority(),
            new Wording(words("title"), words("description"), texts("answers")),
            new Hands(
                text(json, "profile"),
                text(json, "provider"),
                DefinitionJson.flag(json, "worktree", false, of)),
            json.object("metadata"));
    return order.equals(Order.USUAL) ? null : order;
  }

  private int priority() {
    Long priority = json.numberOrNull("priority");
    if (priority == null) return 0;
    if (priority == priority.intValue()) return priority.intValue();
    throw Refusal.invalid(Phrase.of("the priority of %s is out of reach", of));
  }

  private @Nullable Loop loop() {
    if (json.get("loop") == null) return null;
    JsonObject loop =
        object("loop", List.of("collection", "item", "sequential", "until", "results"));
    return new Loop(
        DefinitionJson.flag(loop, "sequential", false, of),
        Objects.requireNonNullElse(text(loop, "collection"), ""),
        Objects.requireNonNullElse(text(loop, "item"), Loop.ITEM),
        text(loop, "until"),
        text(loop, "results"));
  }

  private @Nullable Inner inner(NodeKind kind) {
    String calls = text(json, "calls");
    if (calls != null && json.get("ad_hoc") != null) {
      throw Refusal.invalid(Phrase.of("%s has calls and ad_hoc; keep one of them", of));
    }
    if (calls != null) return new Inner.Call(calls);
    if (json.get("ad_hoc") == null && kind != NodeKind.AD_HOC_SUB_PROCESS) return null;
    JsonObject adHoc = object("ad_hoc", List.of("sequential", "until", "cancel_rest"));
    return new Inner.AdHoc(
        DefinitionJson.flag(adHoc, "sequential", false, of),
        text(adHoc, "until"),
        DefinitionJson.flag(adHoc, "cancel_rest", true, of));
  }

  private List<Rule> rules() {
    return json.objects("rules").stream()
        .map(
            each -> {
              DefinitionJson.onlyKnown("a rule of " + of, each, List.of("when", "gives"));
              String gives = Objects.requireNonNullElse(text(each, "gives"), "");
              return new Rule(text(each, "when"), gives);
            })
        .toList();
  }

  private JsonObject object(String key, List<String> known) {
    JsonObject object = json.object(key);
    DefinitionJson.onlyKnown(Phrase.of("\"%s\" of %s", key, of), object, known);
    return object;
  }

  private String words(String key) {
    return Objects.requireNonNullElse(text(json, key), "");
  }

  private List<String> texts(String key) {
    List<?> items = json.list(key);
    for (Object each : items) {
      if (each instanceof String) continue;
      throw Refusal.invalid(Phrase.of("\"%s\" of %s must be texts", key, of));
    }
    return items.stream().map(String::valueOf).toList();
  }

  private @Nullable String text(JsonObject from, String key) {
    return DefinitionJson.textOrNull(from, key, of);
  }
}
