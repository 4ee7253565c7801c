package dev.mainstay.bpmn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.bpmn.Happening.Arrived;
import dev.mainstay.bpmn.Happening.Begin;
import dev.mainstay.bpmn.Happening.Done;
import dev.mainstay.bpmn.Happening.Due;
import dev.mainstay.bpmn.Happening.Failed;
import dev.mainstay.bpmn.Happening.Retry;
import dev.mainstay.bpmn.Happening.Skip;
import dev.mainstay.bpmn.Step.Ending;
import dev.mainstay.bpmn.Step.Trace;
import dev.mainstay.bpmn.Step.What;
import dev.mainstay.bpmn.Token.Status;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One execution as it is played: what is wanted, what was done, and that it all stays sound. */
final class Playthrough {
  static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Set<NodeKind> EVENTS = Set.of(NodeKind.CATCH_EVENT, NodeKind.BOUNDARY_EVENT);

  final Definition definition;
  private final Instant now;
  private final Scenario scenario;
  private final Map<String, Wish> wanted;
  private final Set<String> everWanted;

  /** Boundary events that have happened, with the activity they stand beside. */
  private final Map<String, Integer> happened;

  /** What was chosen in each ad-hoc sub-process that is open. */
  private final Map<String, List<String>> chosen = new HashMap<>();

  private final Map<String, Integer> done;
  private Marking marking = Marking.EMPTY;

  /** Whose failure was caught just now; what it wanted may be withdrawn, or is over anyway. */
  private @Nullable String caught;

  private @Nullable Ending ending;

  Playthrough(Definition definition, Scenario scenario) {
    this(definition, scenario, NOW);
  }

  Playthrough(Definition definition, Scenario scenario, Instant now) {
    this.now = now;
    this.definition = definition;
    this.scenario = scenario;
    this.wanted = new LinkedHashMap<>();
    this.everWanted = new HashSet<>();
    this.happened = new HashMap<>();
    this.done = new TreeMap<>();
  }

  /** The same again, to be gone on with in another way. */
  Playthrough copy() {
    Playthrough copy = new Playthrough(definition, scenario, now);
    copy.wanted.putAll(wanted);
    copy.everWanted.addAll(everWanted);
    copy.happened.putAll(happened);
    copy.done.putAll(done);
    copy.chosen.putAll(chosen);
    copy.marking = marking;
    copy.ending = ending;
    return copy;
  }

  void begin(JsonObject variables) {
    play(new Begin(null, variables));
  }

  boolean isOver() {
    return ending != null;
  }

  Marking marking() {
    return marking;
  }

  ReferenceInterpreter.Outcome outcome() {
    return new ReferenceInterpreter.Outcome(done, marking.variables());
  }

  /** Everything is put away and taken out again, as when a server is killed. */
  void restart() {
    JsonObject kept = JsonText.object(JsonText.write(marking.toJson()));
    Marking again = Marking.fromJson(kept);
    assertThat(again).isEqualTo(marking);
    marking = again;
  }

  /** All that may happen next; nothing happens in an activity before what is awaited beside it. */
  List<Happening> possible() {
    List<Happening> all = new ArrayList<>();
    for (Wish wish : wanted.values()) {
      Token token = token(wish.token());
      if (token.status() == Status.INCIDENT || !isFree(token)) continue;
      Happening next = happening(wish, token);
      if (next != null) all.add(next);
    }
    return all;
  }

  private @Nullable Happening happening(Wish wish, Token token) {
    String node = token.position();
    if (scenario.isIdle(node)) return null;
    if (wish instanceof Wish.Wake) {
      return wasEnough(token) ? null : new Due(token.id());
    }
    if (wish instanceof Wish.Listen) {
      return wasEnough(token) ? null : new Arrived(token.id(), ReferenceInterpreter.said(node));
    }
    for (Optional<Token> each = Optional.of(token); each.isPresent(); each = around(each.get())) {
      String activity = each.get().position();
      if (scenario.fails(activity)) return new Failed(token.id(), scenario.error(activity));
    }
    return new Done(token.id(), result(wish, token));
  }

  private JsonObject result(Wish wish, Token token) {
    String node = token.position();
    if (definition.node(node).kind() == NodeKind.AD_HOC_SUB_PROCESS) {
      return scenario.choice(node, chosen.getOrDefault(token.parent(), List.of()));
    }
    if (wish instanceof Wish.Call call) {
      String asked = scenario.description(node, call.variables());
      return ReferenceInterpreter.result(NodeKind.CALL_ACTIVITY, node, asked);
    }
    Node.Order order = wish instanceof Wish.Work work ? work.order() : ((Wish.Ask) wish).order();
    NodeKind kind = definition.node(node).kind();
    return ReferenceInterpreter.result(kind, node, order.wording().description());
  }

  /** Whether a boundary event has happened as often as it shall. */
  private boolean wasEnough(Token listener) {
    if (definition.node(listener.position()).kind() != NodeKind.BOUNDARY_EVENT) return false;
    int before = happened.getOrDefault(listener.parent() + "/" + listener.position(), 0);
    return before >= scenario.times(listener.position());
  }

  private Optional<Token> around(Token token) {
    return token.parent() == null ? Optional.empty() : marking.find(token.parent());
  }

  /** Whether nothing else must happen first. */
  private boolean isFree(Token token) {
    for (Optional<Token> each = Optional.of(token); each.isPresent(); each = around(each.get())) {
      String activity = each.get().id();
      for (Token other : marking.tokens()) {
        boolean first =
            activity.equals(other.parent())
                && !other.id().equals(token.id())
                && other.status() == Status.WAITING
                && definition.node(other.position()).kind() == NodeKind.BOUNDARY_EVENT
                && !wasEnough(other);
        if (first) return false;
      }
    }
    return true;
  }

  /** Work that may fail without anybody having planned it. */
  List<String> fragile() {
    return wanted.keySet().stream()
        .filter(id -> isWork(wanted.get(id)) && token(id).status() == Status.IN_PROGRESS)
        .filter(id -> !isDoomed(token(id)) && !isCaught(token(id)))
        .toList();
  }

  private boolean isCaught(Token token) {
    for (Optional<Token> each = Optional.of(token); each.isPresent(); each = around(each.get())) {
      if (scenario.catchesAll(each.get().position())) return true;
    }
    return false;
  }

  private boolean isDoomed(Token token) {
    for (Optional<Token> each = Optional.of(token); each.isPresent(); each = around(each.get())) {
      if (scenario.fails(each.get().position())) return true;
    }
    return false;
  }

  /** What somebody can do about the work that failed. */
  List<Happening> repairs() {
    List<Happening> all = new ArrayList<>();
    for (Token token : marking.tokens()) {
      if (token.status() != Status.INCIDENT) continue;
      all.add(new Retry(token.id(), JsonObject.EMPTY));
      Wish wish = wanted.get(token.id());
      assertThat(wish).as("what %s wanted when it failed", token).isNotNull();
      if (!isFree(token)) continue;
      all.add(new Skip(token.id(), result(wish, token)));
      all.add(new Done(token.id(), result(wish, token)));
    }
    return all;
  }

  /** Everything that could not go on is tried again with what was missing. */
  List<Happening> secondTries(JsonObject variables) {
    return marking.tokens().stream()
        .filter(token -> token.status() == Status.INCIDENT)
        .<Happening>map(token -> new Retry(token.id(), variables))
        .toList();
  }

  /** Whether it is a boundary event that happens. */
  boolean isBeside(Happening happening) {
    String id =
        happening instanceof Due due
            ? due.token()
            : happening instanceof Arrived arrived ? arrived.token() : null;
    return id != null && definition.node(token(id).position()).kind() == NodeKind.BOUNDARY_EVENT;
  }

  private static boolean isWork(@Nullable Wish wish) {
    return wish instanceof Wish.Work || wish instanceof Wish.Ask || wish instanceof Wish.Call;
  }

  private Token token(String id) {
    return marking
        .find(id)
        .orElseThrow(() -> new AssertionError(id + " is wanted and not there: " + marking));
  }

  /** What has happened already, or happens to what is gone, changes nothing. */
  void playStale(Happening stale) {
    Step step = TokenGame.play(definition, marking, stale, now);
    assertThat(step.isIdle()).as("%s in %s", stale, marking).isTrue();
    assertThat(step.after()).isEqualTo(marking);
    assertThat(step.wishes()).isEmpty();
    assertThat(step.ending()).isNull();
  }

  void play(Happening happening) {
    assertThat(ending).isNull();
    Step step = TokenGame.play(definition, marking, happening, now);
    assertThat(step.isIdle()).as("%s in %s", happening, marking).isFalse();
    caught = null;
    satisfied(happening);
    marking = step.after();
    step.wishes().forEach(this::note);
    for (Trace trace : step.traces()) {
      NodeKind kind = definition.node(trace.node()).kind();
      boolean counted = kind.isActivity() || EVENTS.contains(kind);
      if (counted && trace.what() == What.LEFT) done.merge(trace.node(), 1, Integer::sum);
    }
    ending = step.ending();
    assertSound();
  }

  private void satisfied(Happening happening) {
    if (happening instanceof Done one) done(one.token(), one.result());
    if (happening instanceof Skip one) done(one.token(), one.result());
    if (happening instanceof Due one) occurred(one.token());
    if (happening instanceof Arrived one) occurred(one.token());
    if (happening instanceof Retry one) {
      wanted.remove(one.token());
      everWanted.remove(one.token());
    }
    if (happening instanceof Failed one && isDoomed(token(one.token()))) {
      wanted.remove(one.token());
      caught = one.token();
    }
  }

  private void done(String id, JsonObject result) {
    wanted.remove(id);
    Token token = token(id);
    if (definition.node(token.position()).kind() != NodeKind.AD_HOC_SUB_PROCESS) return;
    Object next = result.get("next");
    List<?> some = next instanceof List<?> list ? list : next == null ? List.of() : List.of(next);
    List<String> all = new ArrayList<>(chosen.getOrDefault(token.parent(), List.of()));
    some.forEach(each -> all.add(each.toString()));
    chosen.put(String.valueOf(token.parent()), all);
  }

  private void occurred(String id) {
    Token token = token(id);
    wanted.remove(id);
    if (definition.node(token.position()).kind() != NodeKind.BOUNDARY_EVENT) return;
    happened.merge(token.parent() + "/" + token.position(), 1, Integer::sum);
  }

  private void note(Wish wish) {
    if (wish instanceof Wish.Withdraw withdrawn) {
      boolean known = wanted.remove(withdrawn.token()) != null;
      assertThat(known || withdrawn.token().equals(caught))
          .as("%s in %s", withdrawn, marking)
          .isTrue();
    } else {
      assertThat(everWanted.add(wish.token())).as("%s is wanted twice", wish).isTrue();
      wanted.put(wish.token(), wish);
    }
  }

  private void assertSound() {
    Set<String> ids = new HashSet<>();
    for (Token token : marking.tokens()) {
      assertThat(ids.add(token.id())).as("%s is there twice", token).isTrue();
      assertThat(token.number()).isLessThanOrEqualTo(marking.numbered());
      if (token.parent() == null) continue;
      assertThat(marking.find(token.parent())).as("what %s lives in", token).isPresent();
    }
    wanted.keySet().forEach(this::token);
  }

  void assertEnded() {
    assertThat(ending).isEqualTo(Ending.WELL);
    assertThat(marking.tokens()).isEmpty();
    assertThat(wanted).isEmpty();
  }
}
