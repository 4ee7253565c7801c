package dev.mainstay.terminal;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.AgentProfile;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Provider;
import dev.mainstay.domain.ProviderCommand.Conversation;
import dev.mainstay.domain.ProviderCommand.Launch;
import dev.mainstay.domain.ProviderCommand.Place;
import dev.mainstay.domain.ProviderCommand.Start;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Seat;
import dev.mainstay.domain.Seat.Begin;
import dev.mainstay.domain.Seat.Standing;
import dev.mainstay.domain.Seat.Status;
import dev.mainstay.domain.Seat.Window;
import dev.mainstay.domain.Terminal;
import dev.mainstay.domain.TerminalEvent;
import dev.mainstay.domain.TerminalState;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Starts agents in windows of this host, and starts them again where they were. A terminal is noted
 * before its window is made: a process that dies in between leaves a note without a window, which
 * whoever looks after the terminals finds, and never a window without a note.
 */
public final class Launches implements Launching {
  private static final int ID_PROFILE_CHARS_MAX = 40;

  /**
   * How many may run at once, and what every agent finds in its environment.
   *
   * @param environment added to what its provider asks for
   */
  public record Settings(int liveMax, Map<String, String> environment) {
    public static final int LIVE_MAX = 10;

    public Settings {
      environment = Map.copyOf(environment);
    }
  }

  private final Store store;
  private final TerminalHost host;
  private final Agents agents;
  private final Settings settings;

  public Launches(Store store, TerminalHost host, Agents agents, Settings settings) {
    this.store = store;
    this.host = host;
    this.agents = agents;
    this.settings = settings;
  }

  /** What is started, and as what. */
  private record Plan(Terminal terminal, Provider provider, Launch launch) {}

  @Override
  public Terminal launch(LaunchOrder order, Call call) {
    AgentProfile profile = agents.profiles().get(order.profile());
    Provider provider = agents.providerOf(profile, order.provider());
    refuseOtherPrograms(order, profile, provider, call.actor());
    refuseFolder(order.where().folder());
    refuseMissing(provider, order.program());
    host.tmux(); // without tmux nothing is noted
    String fresh = fresh(profile);
    Terminal noted =
        store.inTransaction(
            Once.of(call, "terminal.launch", order.toJson(), Terminal::toJson, Terminal::fromJson),
            tx -> {
              refuseFull(tx);
              TerminalState state = TerminalState.none(fresh, tx.now());
              if (!order.told().isEmpty()) {
                state = state.told(state.told().with(order.told()), tx.now());
              }
              Seat seat = seat(fresh, provider, order, call.actor(), tx);
              Launch launch = plan(profile, provider, seat, state, fresh, false);
              tx.terminals().put(fresh, provider.name(), profile.name());
              tx.terminals().seat(fresh, seat, launch.typed());
              if (state.stamps().version() > 0) tx.terminalStates().put(state);
              var registered =
                  new TerminalEvent.Registered(provider.name(), profile.name(), order.told());
              var launched = new TerminalEvent.Launched(seat.window(), seat.begin());
              tx.journal()
                  .append(
                      Terminal.stream(fresh), call, List.<TerminalEvent>of(registered, launched));
              return tx.terminals().get(fresh);
            });
    // Under a key that was used before it is another one, and perhaps it runs already.
    Plan plan = planned(noted, false);
    host.inTurn(noted.id(), () -> started(plan));
    return store.reading(tx -> tx.terminals().get(noted.id()));
  }

  /**
   * Returns a terminal of the profile that is free in the session on this host, or starts one. A
   * free terminal takes input and has neither an open assignment nor a delegation; it is not
   * reserved. Only one that works in the folder of the order is taken.
   */
  public Terminal findOrLaunch(LaunchOrder order, Call call) {
    mustKnow(order.profile(), order.provider());
    Optional<Terminal> free = store.reading(tx -> free(tx, order, call.actor()));
    return free.orElseGet(() -> launch(order, call));
  }

  private Optional<Terminal> free(Tx tx, LaunchOrder order, Actor caller) {
    return tx.terminals().live(host.name()).stream()
        .filter(each -> !caller.isAgent() || !each.id().equals(caller.name()))
        .filter(each -> isFree(tx, order, each))
        .findFirst();
  }

  private static boolean isFree(Tx tx, LaunchOrder order, Terminal terminal) {
    Seat seat = terminal.seated();
    String provider = order.provider();
    return seat.status().takesInput()
        && order.profile().equals(terminal.profile())
        && (provider == null || provider.equals(terminal.provider()))
        && seat.window().session().equals(order.where().session())
        && seat.begin().folder().equals(order.where().folder().toString())
        && Placing.isIdle(tx, terminal.id());
  }

  @Override
  public void mustKnow(String profile, @Nullable String provider) {
    agents.providerOf(agents.profiles().get(profile), provider);
  }

  /** A shell that an agent can type into is as good as a program it named. */
  private static void refuseOtherPrograms(
      LaunchOrder order, AgentProfile profile, Provider provider, Actor actor) {
    boolean own = provider.name().equals(profile.engine().provider());
    boolean any = provider.command().anyProgram() && !own;
    if (!actor.isAgent() || (order.program().isEmpty() && !any)) return;
    throw Refusal.invalid(
            "an agent starts profiles as they are; only a person names a program or a shell to run")
        .reserved();
  }

  private static void refuseFolder(Path folder) {
    if (Files.isDirectory(folder)) return;
    throw Refusal.invalid(Phrase.of("there is no folder %s; make it or name another", folder));
  }

  private void refuseMissing(Provider provider, List<String> asked) {
    List<String> argv = asked.isEmpty() ? provider.command().program() : asked;
    if (!argv.isEmpty()) PathOfPrograms.refuseMissing(argv.get(0), settings.environment());
  }

  private void refuseFull(Tx tx) {
    tx.terminals().lockSeats();
    int live = tx.terminals().countLive();
    if (live < settings.liveMax()) return;
    throw Refusal.conflict(
        Phrase.of(
            "%d terminals run, and no more may (terminals.max); 'mainstay terminal stop ID' ends one",
            live));
  }

  private static String fresh(AgentProfile profile) {
    String name = profile.name();
    String head = name.substring(0, Math.min(name.length(), ID_PROFILE_CHARS_MAX));
    return head + "-" + UUID.randomUUID().toString().substring(0, 6);
  }

  private Seat seat(String id, Provider provider, LaunchOrder order, Actor actor, Tx tx) {
    boolean named = provider.command().parts().containsKey(Place.CONVERSATION);
    return new Seat(
        new Window(host.name(), host.socket().text(), order.where().session(), id),
        new Begin(
            order.where().folder().toString(),
            actor.isAgent() ? actor.name() : actor.toString(),
            named ? UUID.randomUUID().toString() : null,
            order.program()),
        Standing.starting(tx.now()));
  }

  /**
   * What a terminal begins with, its variables filled in: its own prompt, else that of its profile;
   * null if there is neither.
   */
  public @Nullable String promptOf(String id) {
    Terminal terminal = store.reading(tx -> tx.terminals().get(id));
    TerminalState state = store.reading(tx -> tx.terminalStates().of(terminal));
    String profile = terminal.profile();
    boolean isKnown =
        profile != null
            && agents.profiles().list().stream()
                .anyMatch(each -> each.source().name().equals(profile));
    if (profile == null || !isKnown) return state.prompt(null);
    return Profiles.initialPrompt(agents.profiles().get(profile), Optional.of(state)).orElse(null);
  }

  /** What must be started so that a terminal runs that is noted already. */
  private Plan planned(Terminal terminal, boolean resumed) {
    String name = terminal.profile();
    if (name == null) throw Refusal.invalid(terminal.id() + " has no profile to be started from");
    AgentProfile profile = agents.profiles().get(name);
    Provider provider = agents.providers().get(terminal.provider());
    TerminalState state = store.reading(tx -> tx.terminalStates().of(terminal));
    Launch launch = plan(profile, provider, terminal.seated(), state, terminal.id(), resumed);
    return new Plan(terminal, provider, launch);
  }

  private Launch plan(
      AgentProfile profile,
      Provider provider,
      Seat seat,
      TerminalState state,
      String id,
      boolean resumed) {
    String conversation = seat.begin().conversation();
    String prompt =
        resumed ? null : Profiles.initialPrompt(profile, Optional.of(state)).orElse(null);
    var start =
        new Start(
            profile,
            prompt,
            conversation == null ? null : new Conversation(conversation, resumed),
            seat.begin().program());
    Launch launch =
        provider.command().launch(start, file -> host.agentFolder(id).resolve(file).toString());
    String typed = launch.typed();
    if (typed != null && !provider.manners().bracketsPastes()) Typing.refuseUnlessOneLine(typed);
    return launch;
  }

  /** Makes its window; for whoever has the turn at this terminal. */
  private Terminal started(Plan plan) {
    Terminal terminal = plan.terminal();
    Seat seat = host.seatHere(terminal);
    Panes panes = host.tmuxOf(seat.window()).panes();
    // Under a key that was used before it may have run and be over.
    Terminal now = store.reading(tx -> tx.terminals().get(terminal.id()));
    if (now.seated().status() != Status.STARTING) return now;
    var found = panes.find(seat.window().session(), seat.window().name());
    if (found.filter(PaneView::alive).isPresent()) return terminal;
    found.ifPresent(dead -> panes.kill(dead.pane()));
    try {
      AgentFiles.write(host.agentFolder(terminal.id()), plan.launch().files());
      panes.create(order(plan, seat));
    } catch (RuntimeException failed) {
      noteFailed(terminal.id(), failed);
      throw failed;
    }
    return terminal;
  }

  private PaneOrder order(Plan plan, Seat seat) {
    Map<String, String> environment = new HashMap<>(settings.environment());
    environment.putAll(plan.provider().environment());
    environment.putAll(plan.launch().environment());
    environment.put("MAINSTAY_TERMINAL", plan.terminal().id());
    return new PaneOrder(
        seat.window().session(),
        seat.window().name(),
        plan.launch().argv(),
        Path.of(seat.begin().folder()),
        environment);
  }

  private void noteFailed(String id, RuntimeException failed) {
    String why = failed instanceof Refusal refusal ? refusal.sentence() : failed.toString();
    store.inTransaction(
        Once.unkeyed(), tx -> Endings.over(tx, id, Status.GONE, "it could not be started: " + why));
  }

  @Override
  public boolean retire(String terminal, Call call) {
    new Screens(store, host, agents.providers()).stop(terminal, call);
    return true;
  }

  /** A terminal that was started again, and whether its agent's conversation goes on. */
  public record Restored(Terminal terminal, boolean resumed) {}

  /**
   * Makes the window of a terminal again that is over, in its folder and under its id. Its agent
   * goes on with its conversation where its provider can; else it begins anew.
   */
  public Restored restore(String id, Call call) {
    Terminal known = store.reading(tx -> tx.terminals().get(id));
    Seat seat = host.seatHere(known);
    Actor actor = call.actor();
    if (actor.isAgent() && !actor.name().equals(seat.begin().caller())) {
      throw Refusal.conflict(
          Phrase.of("%s did not start %s and may not restore it", actor.name(), id));
    }
    refuseFolder(Path.of(seat.begin().folder()));
    Provider provider = agents.providers().get(known.provider());
    boolean resumed =
        seat.begin().conversation() != null && provider.command().parts().containsKey(Place.RESUME);
    refuseMissing(provider, seat.begin().program());
    host.tmuxOf(seat.window());
    Plan plan = planned(known, resumed);
    // One turn for both: between them somebody would see the window of before, and that it is over.
    Terminal again =
        host.inTurn(
            id,
            () -> {
              Terminal noted = notedAgain(plan, call);
              started(plan);
              return noted;
            });
    return new Restored(again, resumed);
  }

  private Terminal notedAgain(Plan plan, Call call) {
    String id = plan.terminal().id();
    return store.inTransaction(
        Once.unkeyed(),
        tx -> {
          Terminal now = tx.terminals().lock(id);
          if (now.isLive()) {
            throw Refusal.conflict(id + " runs; 'mainstay terminal attach " + id + "' shows it");
          }
          refuseFull(tx);
          Seat next = now.seated().with(Standing.starting(tx.now()));
          tx.terminals().seat(id, next, plan.launch().typed());
          var launched = new TerminalEvent.Launched(next.window(), next.begin());
          tx.journal().append(Terminal.stream(id), call, List.<TerminalEvent>of(launched));
          return tx.terminals().get(id);
        });
  }

  /** Those of this host that can be started again: of one session, or all. */
  public List<Terminal> restorable(@Nullable String session) {
    return store.reading(tx -> tx.terminals().gone(host.name())).stream()
        .filter(each -> session == null || each.seated().window().session().equals(session))
        .toList();
  }
}
