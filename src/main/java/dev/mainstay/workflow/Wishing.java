package dev.mainstay.workflow;

import dev.mainstay.bpmn.Happening.Arrived;
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
import dev.mainstay.domain.WorkflowExecution.Caller;
import dev.mainstay.domain.WorkflowExecution.Home;
import dev.mainstay.domain.WorkflowStart;
import dev.mainstay.domain.WorkflowWait;
import dev.mainstay.domain.WorkflowWait.About;
import dev.mainstay.domain.WorkflowWait.Kind;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Tx;
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

  void fulfil(Running running, Wish wish, Call call) {
    if (wish instanceof Wish.Work work) {
      work(running, work, call);
    } else if (wish instanceof Wish.Ask ask) {
      running.put(ask.token(), Kind.ANSWER, About.question(question(ask.order())), tx.now());
    } else if (wish instanceof Wish.Wake wake) {
      running.put(wake.token(), Kind.TIMER, About.moment(wake.due()), tx.now());
    } else if (wish instanceof Wish.Listen listen) {
      About about = About.message(listen.message(), listen.correlation());
      running.put(listen.token(), Kind.MESSAGE, about, tx.now());
      moving.looks(running, listen.token(), call);
    } else if (wish instanceof Wish.Send send) {
      send(send.posting(), running.execution().home(), call);
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
    return new Call(Actor.SYSTEM, call.source(), null, null);
  }

  /** A task on the queue; what cannot be one has failed before anything was written. */
  private void work(Running running, Wish.Work wish, Call call) {
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
      Delegation.Wish hands = hands(running.execution().home(), order.hands());
      String workflow = running.execution().workflow();
      NewTask wanted = new NewTask(brief, workflow, null, List.of(), Terms.NONE);
      Task made = Tasks.createIn(tx, wanted, system(call));
      if (hands != null) {
        String by = caller(running.execution().stamps().startedBy());
        tx.delegations().put(Delegation.wanted(made.id(), by, hands, tx.now()));
      }
      running.put(wish.token(), Kind.TASK, About.named(made.id().value()), tx.now());
    } catch (Refusal refused) {
      moving.happens(running, new Failed(wish.token(), refused.sentence()), call);
    }
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

  /** A message that was kept is taken by a token that still waits for it. */
  void look(Running running, String token, Call call) {
    WorkflowWait wait = running.wait(token).orElse(null);
    if (wait == null || wait.kind() != Kind.MESSAGE || moving.isEnough()) return;
    tx.workflowMessages()
        .take(wait.name(), wait.about().correlation())
        .ifPresent(
            message -> {
              running.taken(token);
              moving.happens(running, new Arrived(token, message.content()), call);
            });
  }

  /**
   * Gives a message to whoever waits for it longest, or to a workflow that begins by it. When that
   * one is just being moved by somebody else the message is kept, and given a moment later.
   */
  void send(Posting posting, Home home, Call call) {
    if (moving.isEnough() || deliver(posting, null, call).isEmpty()) keep(posting, home, call);
  }

  private void keep(Posting posting, Home home, Call call) {
    boolean awaited =
        !tx.workflowWaits().forMessage(posting.message(), posting.correlation(), null, 1).isEmpty();
    Optional<WorkflowStart> start =
        awaited || moving.isEnough()
            ? Optional.empty()
            : tx.workflowStarts().forMessage(posting.message());
    if (start.isPresent()) {
      begin(start.get(), posting.content(), home, call);
      return;
    }
    tx.workflowMessages()
        .keep(posting.message(), posting.correlation(), posting.content(), call.actor().toString());
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
    Stream<WorkflowWait> here =
        moving.open().stream()
            .flatMap(running -> running.waits().stream())
            .filter(wait -> fits(wait, posting))
            .filter(wait -> only == null || only.equals(wait.execution()));
    Stream<WorkflowWait> elsewhere =
        tx
            .workflowWaits()
            .forMessage(posting.message(), posting.correlation(), only, RECEIVERS_MAX)
            .stream()
            .filter(wait -> moving.open().stream().noneMatch(r -> r.id().equals(wait.execution())));
    WorkflowWait first =
        Stream.concat(here, elsewhere)
            .min(Comparator.comparing(WorkflowWait::since).thenComparing(WorkflowWait::execution))
            .orElse(null);
    if (first == null) return Optional.empty();
    Optional<Running> receiver =
        moving
            .lockIfFree(first.execution())
            .filter(
                each -> each.wait(first.token()).filter(wait -> fits(wait, posting)).isPresent());
    receiver.ifPresent(
        each -> {
          each.taken(first.token());
          moving.happens(each, new Arrived(first.token(), posting.content()), call);
        });
    return receiver;
  }

  static boolean fits(WorkflowWait wait, Posting posting) {
    return wait.kind() == Kind.MESSAGE
        && wait.name().equals(posting.message())
        && Objects.equals(wait.about().correlation(), posting.correlation());
  }

  private void call(Running running, Wish.Call wish, Call call) {
    Workflow called = tx.workflows().newest(wish.workflow()).orElse(null);
    boolean tooDeep = running.depth() + 1 >= CALLS_DEEP_MAX || moving.isEnough();
    if (called == null || tooDeep) {
      String why =
          called == null
              ? Phrase.of("there is no workflow %s; import it and try again", wish.workflow())
              : Phrase.of(
                  "more than %d workflows would call one another; look for a circle",
                  CALLS_DEEP_MAX);
      moving.happens(running, new Failed(wish.token(), why), call);
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
}
