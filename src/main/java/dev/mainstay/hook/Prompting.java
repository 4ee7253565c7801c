package dev.mainstay.hook;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.AgentSession;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.PromptWords;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Sighting.Signal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.render.Neutral;
import dev.mainstay.terminal.Pastes.Pasted;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A prompt was given: it may open a task, order something for good, and bring messages. */
final class Prompting {
  /** Shown as the origin of a directive that the person did not give by a command. */
  static final String RECOGNISED = "hook, recognised in a prompt";

  private final Openings openings;

  Prompting(Openings openings) {
    this.openings = openings;
  }

  Outcome prompted(Visit given) {
    String prompt = given.event().prompt();
    if (Ends.isReminder(given, prompt)) return Outcome.NOTHING; // our own words come back
    boolean compacted = given.memory().compacted();
    Visit visit = given.remembering(given.memory().reminded(false).compacted(false).asking(false));
    Ends.signal(visit, Signal.Kind.WORKING);
    Optional<Pasted> pasted = pasted(visit, prompt);
    pasted.map(Pasted::message).ifPresent(id -> Letters.arrived(given, List.of(id)));
    Actor speaker = pasted.map(Pasted::sender).orElseGet(() -> speaker(given));
    PromptWords words = PromptWords.of(withoutHeader(pasted, prompt));
    Optional<TaskId> before = visit.task();
    List<String> said = new ArrayList<>();
    visit = begin(visit, words, prompt, speaker);
    if (visit.task().isPresent() && !visit.task().equals(before)) {
      said.add(Phrase.of("Mainstay keeps the state of this work as %s.", visit.task().get()));
    }
    visit = order(visit, words, speaker, said);
    if (compacted) said.add(openings.afterCompaction(visit));
    else said.add(Letters.bring(visit));
    return Outcome.context(said);
  }

  /** The text of a message that was pasted, without the line that names its sender. */
  private static String withoutHeader(Optional<Pasted> pasted, String prompt) {
    boolean isMessage = pasted.map(Pasted::message).isPresent();
    return isMessage ? prompt.substring(prompt.indexOf('\n') + 1) : prompt;
  }

  private static Optional<Pasted> pasted(Visit visit, String prompt) {
    String terminal = visit.terminal();
    return terminal == null ? Optional.empty() : visit.rooms().pastes().senderOf(terminal, prompt);
  }

  /** Whose word a prompt is that nobody pasted. */
  private static Actor speaker(Visit visit) {
    Happening event = visit.event();
    boolean person = !event.isOfSubagent() && !event.isWithinAnother();
    return person ? event.person() : visit.session().actor();
  }

  private static Visit begin(Visit visit, PromptWords words, String prompt, Actor speaker) {
    String id = visit.session().id();
    String goal = words.goal();
    Call call = visit.callOf(speaker, "prompt");
    var sessions = visit.rooms().sessions();
    if (goal != null && speaker.isPerson() && visit.task().isPresent()) {
      return visit.in(sessions.newGoal(id, goal, call));
    }
    if (goal != null && !speaker.isPerson() && visit.task().isPresent()) {
      note(visit, speaker, "a prompt of an agent sets no new goal; only a person does");
    }
    // Orders alone are no work; they are kept until there is some.
    if (words.isOnlyOrders() && visit.task().isEmpty()) return visit;
    AgentSession now = sessions.prompted(id, goal == null ? prompt : goal, call);
    return visit.in(now);
  }

  /** Keeps what is to hold: what a person said to remember binds, all else does not. */
  private static Visit order(Visit visit, PromptWords words, Actor speaker, List<String> said) {
    List<String> binding = new ArrayList<>(visit.memory().orders());
    List<String> remembered = new ArrayList<>(words.remembered());
    if (remembered.removeIf(PromptWords::holdsSecret)) {
      said.add("Mainstay did not keep this order: it holds a secret; say it again without.");
    }
    if (speaker.isPerson()) binding.addAll(remembered);
    if (visit.task().isEmpty()) {
      if (!remembered.isEmpty() && speaker.isPerson()) said.add(kept(binding));
      return visit.remembering(visit.memory().withOrders(binding));
    }
    int number = 0;
    for (String text : binding) {
      record(visit, text, visit.callOf(visit.event().person(), "binding-" + number++), said);
    }
    List<String> others = new ArrayList<>(words.standing());
    if (!speaker.isPerson()) others.addAll(remembered);
    if (!speaker.isPerson() && !remembered.isEmpty()) {
      note(visit, speaker, "what a prompt of an agent says to remember does not bind");
    }
    for (String text : others) {
      Call call = visit.callOf(speaker, "standing-" + number++).withSource(RECOGNISED);
      record(visit, text, call, said, false);
    }
    return visit.remembering(visit.memory().withOrders(List.of()));
  }

  /** An agent that speaks as a person would is not refused, but not obeyed either. */
  private static void note(Visit visit, Actor speaker, String sentence) {
    var call = Call.by(speaker, Visit.SOURCE);
    visit.rooms().noteRefused(call, Refusal.conflict(sentence).reserved());
  }

  private static String kept(List<String> orders) {
    return orders.size() <= Memory.ORDERS_MAX
        ? "Mainstay keeps this for the next task."
        : Phrase.of(
            "Mainstay could not keep this: %d orders already wait for the next task, which is the most.",
            Memory.ORDERS_MAX);
  }

  private static void record(Visit visit, String text, Call call, List<String> said) {
    record(visit, text, call, said, true);
  }

  /** One order too many is told to whoever gave it, and the prompt goes on. */
  private static void record(
      Visit visit, String text, Call call, List<String> said, boolean binding) {
    TaskId task = visit.task().orElseThrow();
    try {
      visit.rooms().states().addDirective(task, text, binding, call);
      said.add(
          Phrase.of(
              "Mainstay noted%s for %s: \"%s\"",
              binding ? " as binding" : " as a standing instruction", task, Neutral.line(text)));
    } catch (Refusal refused) {
      said.add(
          Phrase.of(
              "Mainstay could not note \"%s\": %s",
              Neutral.line(text), Neutral.line(refused.sentence())));
    }
  }
}
