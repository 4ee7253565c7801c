package dev.mainstay.workflow;

import dev.mainstay.bpmn.Happening.Begin;
import dev.mainstay.bpmn.Happening.Failed;
import dev.mainstay.bpmn.Node.Hands;
import dev.mainstay.bpmn.Node.Order;
import dev.mainstay.bpmn.Wish;
import dev.mainstay.bpmn.Wish.Posting;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Delegation;
import dev.mainstay.domain.Delegation.Site;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.Terms;
import dev.mainstay.domain.Workflow;
import dev.mainstay.domain.WorkflowEvent;
import dev.mainstay.domain.WorkflowExecution.Caller;
import dev.mainstay.domain.WorkflowExecution.Home;
import dev.mainstay.domain.WorkflowExecution.Status;
import dev.mainstay.domain.WorkflowMessage;
import dev.mainstay.domain.WorkflowStart;
import dev.mainstay.domain.WorkflowWait;
import dev.mainstay.domain.WorkflowWait.About;
import dev.mainstay.domain.WorkflowWait.Kind;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Tx;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Does what executions want for their tokens, in the transaction in which they came to want it. */
final class Wishing {
  /** So many executions call one another; more is a circle. */
  static final int CALLS_DEEP_MAX = 20;

  /** So many of those who wait for one message are looked at; others get the next. */
  private static final int RECEIVERS_MAX = 20;

  private final Tx tx;
  private final Moving moving;

  Wishing(Tx tx, Moving moving) {
    this.tx = tx;
    this.moving = moving;
  }

  /** In their order; tasks that are wanted one after another are made at once. */
  void fulfil(Running running, List<Wish> wishes, Call call) {
    List<Wanted> wanted = new ArrayList<>();
    for (Wish wish : wishes) {
      if (wish instanceof Wish.Work work) {
        wanted(running, work, call).ifPresent(wanted::add);
      } else {
        make(running, wanted, call);
        fulfil(running, wish, call);
      }
    }
    make(running, wanted, call);
  }

  private void fulfil(Running running, Wish wish, Call call) {
    if (wish instanceof Wish.Ask ask) {
      running.put(ask.token(), Kind.ANSWER, About.question(question(ask.order())), tx.now());
    } else if (wish instanceof Wish.Wake wake) {
      running.put(wake.token(), Kind.TIMER, About.moment(wake.due()), tx.now());
    } else if (wish instanceof Wish.Listen listen) {
      About about = About.message(listen.message(), listen.correlation());
      running.put(listen.token(), Kind.MESSAGE, about, tx.now());
      moving.looks(running, listen.token(), call);
    } else if (wish instanceof Wish.Send send) {
      moving.posts(running, send.posting(), call);
    } else if (wish instanceof Wish.Call other) {
      call(running, other, call);
    } else {
      running.withdraw(wish.token(), tx.now());
    }
  }

  private static JsonObject question(Order order) {
    String title = order.wording().title();
    String more = order.wording().description();
    return JsonObject.of("text", more.isBlank() ? title : title + "\n" + more)
        .with("answers", order.wording().answers());
  }

  private static Call system(Call call) {
    return Call.by(Actor.SYSTEM, call.source());
  }

  /** A task that is to be made for a token, and who is to do it, if anybody is named. */
  private record Wanted(String token, NewTask task, Delegation.@Nullable Wish hands) {}

  /** What cannot be a task has failed before anything was written. */
  private Optional<Wanted> wanted(Running running, Wish.Work wish, Call call) {
    Order order = wish.order();
    try {
      JsonObject metadata =
          order
              .metadata()
              .with("execution_id", running.id())
              .with("node_id", wish.node())
              .with("token_id", wish.token());
      Brief brief =
          new Brief(
              order.wording().title(),
              order.wording().description(),
              new TaskType(order.type()),
              order.priority(),
              metadata);
      String workflow = running.execution().workflow();
      NewTask task = new NewTask(brief, workflow, null, List.of(), Terms.NONE);
      Delegation.Wish hands = hands(running.execution().home(), order.hands());
      return Optional.of(new Wanted(wish.token(), Tasks.checked(task), hands));
    } catch (Refusal refused) {
      moving.happens(running, new Failed(wish.token(), refused.sentence()), call);
      return Optional.empty();
    }
  }

  private void make(Running running, List<Wanted> wanted, Call call) {
    if (wanted.isEmpty()) return;
    List<NewTask> tasks = wanted.stream().map(Wanted::task).toList();
    List<Task> made = Tasks.createAllIn(tx, tasks, system(call));
    for (int i = 0; i < made.size(); i++) {
      Wanted each = wanted.get(i);
      Task task = made.get(i);
      running.put(each.token(), Kind.TASK, About.named(task.id().value()), tx.now());
      Delegation.Wish hands = each.hands();
      if (hands == null) continue;
      String by = caller(running.execution().stamps().startedBy());
      tx.delegations().put(Delegation.wanted(task.id(), by, hands, tx.now()));
    }
    wanted.clear();
  }

  private static Delegation.@Nullable Wish hands(Home home, Hands hands) {
    String profile = hands.profile();
    if (profile == null) return null;
    Site site = new Site(home.host(), home.session(), home.folder());
    return new Delegation.Wish(profile, hands.provider(), site, hands.worktree());
  }

  /** Whoever started it is told how the work goes if it has an inbox; Mainstay itself has none. */
  private String caller(String startedBy) {
    Actor starter = Actor.parse(startedBy);
    if (starter.isPerson()) return startedBy;
    boolean hasInbox =
        starter.isAgent()
            && Message.isTerminal(starter.name())
            && tx.terminals().find(starter.name()).isPresent();
    return hasInbox ? starter.name() : Actor.SYSTEM.toString();
  }

  /** A message that was kept is taken by a token that still waits for it and can go on. */
  void look(Running running, String token, Call call) {
    WorkflowWait wait = running.wait(token).orElse(null);
    if (wait == null || wait.kind() != Kind.MESSAGE || moving.isEnough()) return;
    if (running.status() != Status.RUNNING) return;
    tx.workflowMessages()
        .take(wait.name(), wait.about().correlation())
        .ifPresent(
            message -> {
              gone(tx, message, running.id(), call);
              moving.arrives(running, token, message.content(), call);
            });
  }

  /**
   * Gives a message to whoever waits for it longest, or to a workflow that begins by it. While all
   * who wait for it are paused, or are just being moved by somebody else, it is kept for them.
   */
  void send(Posting posting, Home home, Call call) {
    if (!moving.isEnough()) {
      if (deliver(posting, null, call).isPresent()) return;
      Optional<WorkflowStart> start = startFor(posting);
      if (start.isPresent()) {
        begin(start.get(), posting.content(), home, call);
        return;
      }
    }
    keep(posting, call);
  }

  void keep(Posting posting, Call call) {
    tx.workflowMessages()
        .keep(posting.message(), posting.correlation(), posting.content(), call.actor().toString());
    WorkflowEvent kept = new WorkflowEvent.MessageKept(posting.correlation(), posting.content());
    tx.journal().append(WorkflowMessage.stream(posting.message()), call, List.of(kept));
  }

  /** Writes down who took a message that was kept; nobody if it is too old. */
  static void gone(Tx tx, WorkflowMessage message, @Nullable String execution, Call call) {
    WorkflowEvent gone =
        new WorkflowEvent.MessageGone(message.id(), message.correlation(), execution);
    tx.journal().append(WorkflowMessage.stream(message.name()), call, List.of(gone));
  }

  /** What begins by a message that nobody waits for. */
  Optional<WorkflowStart> startFor(Posting posting) {
    return isAwaited(posting)
        ? Optional.empty()
        : tx.workflowStarts().forMessage(posting.message());
  }

  /** Whether anybody waits for it, even if he is paused or somebody else just moves him. */
  boolean isAwaited(Posting posting) {
    List<String> open = moving.open().stream().map(Running::id).toList();
    return here(posting).findAny().isPresent()
        || tx.workflowWaits().isAwaited(posting.message(), posting.correlation(), open);
  }

  /** Begins the workflow of a start event with these variables. */
  Running begin(WorkflowStart start, JsonObject variables, Home home, Call call) {
    Home own = new Home(home.session(), home.host(), home.folder(), null);
    Running made = moving.make(start.workflow(), own, call.actor().toString(), 0, call);
    moving.happens(made, new Begin(start.node(), variables), call);
    return made;
  }

  /** Gives a message to the first who waits for it and can be moved now. */
  Optional<Running> deliver(Posting posting, @Nullable String only, Call call) {
    Stream<WorkflowWait> elsewhere =
        tx
            .workflowWaits()
            .forMessage(posting.message(), posting.correlation(), only, RECEIVERS_MAX)
            .stream()
            .filter(wait -> moving.open().stream().noneMatch(r -> r.id().equals(wait.execution())));
    List<WorkflowWait> waiting =
        Stream.concat(here(posting), elsewhere)
            .filter(wait -> only == null || only.equals(wait.execution()))
            .sorted(
                Comparator.comparing(WorkflowWait::since).thenComparing(WorkflowWait::execution))
            .toList();
    for (WorkflowWait wait : waiting) {
      Running receiver = moving.lockIfFree(wait.execution()).orElse(null);
      if (receiver == null || receiver.status() != Status.RUNNING) continue;
      if (receiver.wait(wait.token()).filter(each -> fits(each, posting)).isEmpty()) continue;
      moving.arrives(receiver, wait.token(), posting.content(), call);
      return Optional.of(receiver);
    }
    return Optional.empty();
  }

  private Stream<WorkflowWait> here(Posting posting) {
    return moving.open().stream()
        .flatMap(running -> running.waits().stream())
        .filter(wait -> fits(wait, posting));
  }

  private static boolean fits(WorkflowWait wait, Posting posting) {
    return wait.kind() == Kind.MESSAGE
        && wait.name().equals(posting.message())
        && Objects.equals(wait.about().correlation(), posting.correlation());
  }

  private void call(Running running, Wish.Call wish, Call call) {
    String why = against(running);
    Workflow called = why == null ? Definitions.find(tx, wish.workflow()).orElse(null) : null;
    if (called == null) {
      String none = Phrase.of("there is no workflow %s; import it and try again", wish.workflow());
      moving.happens(running, new Failed(wish.token(), why == null ? none : why), call);
      return;
    }
    Home home = running.execution().home();
    Caller caller = new Caller(running.id(), wish.token());
    Home own = new Home(home.session(), home.host(), home.folder(), caller);
    String by = running.execution().stamps().startedBy();
    Running child = moving.make(called.id(), own, by, running.depth() + 1, call);
    running.put(wish.token(), Kind.CALL, About.named(child.id()), tx.now());
    moving.happens(child, new Begin(null, wish.variables()), call);
  }

  private @Nullable String against(Running running) {
    if (moving.isEnough()) {
      return Phrase.of(
          "more than %,d things happened at once before it; try it again", Moving.TURNS_MAX);
    }
    if (running.depth() + 1 < CALLS_DEEP_MAX) return null;
    return Phrase.of(
        "more than %d workflows would call one another; look for a circle", CALLS_DEEP_MAX);
  }
}
