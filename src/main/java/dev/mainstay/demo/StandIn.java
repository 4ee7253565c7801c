package dev.mainstay.demo;

import dev.mainstay.demo.LiveScreen.Live;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An agent that follows a script, with the habits of Claude Code on its screen: a prompt between
 * rules, a spinner that turns, answers that come late and a prompt that comes later still; Enter
 * right after a paste is lost, and what is submitted while it works waits for its turn.
 *
 * <pre>
 * --log FILE         each text it takes, as a JSON string a line, on the disk before it is answered
 * --work MILLIS      how long it is at work on each (300)
 * --late MILLIS      how late its screen follows: the spinner, the answer, the prompt (100)
 * --do FILE          an executable, or its arguments line by line; run for each text, which it gets
 *                    on its standard input; each line it prints is an answer at once
 * --dialog           first asks whether it may trust the folder, until somebody presses Enter
 * --crash-after N    the N-th text is taken and worked on, but then it crashes with exit code 3
 * --exit-on TEXT     the text that makes it leave (/exit); it is neither logged nor answered
 * </pre>
 *
 * <p>It is no provider of its own: whoever wants one takes the YAML of {@code claude-code} with
 * these arguments in place of its {@code command}, and puts it into the project's {@code
 * .mainstay/providers}, as {@code StandIns.providerYaml} of the tests does. So it is judged by the
 * signs that judge the real one. It touches nothing but the JDK and the room {@code process}, since
 * many of them start at once.
 */
public final class StandIn {
  static final int CRASH_EXIT = 3;
  private static final int EVENTS_MAX = 1_000;
  private static final int USAGE_EXIT = 2;
  private static final long TICK_MILLIS = 120;
  private static final long DEED_SECONDS_MAX = 1_800;

  /** What it is in the middle of; each begins where the one before it ends. */
  private enum Phase {
    ASKING,
    IDLE,
    /** A text was taken, and the screen does not show yet that it is at work. */
    TAKEN,
    WORKING,
    /** The spinner is gone, and the answer not yet there. */
    SILENT,
    /** The answer is there, and the prompt not yet. */
    ANSWERED
  }

  /** Something that happens to it, one after the other. */
  private interface Event {
    void happen() throws IOException;
  }

  private final StandInOrder order;
  private final LiveScreen screen;
  private final Face face;
  private final TextLog log;
  private final Drafts drafts = new Drafts();
  private final BlockingQueue<Event> events = new ArrayBlockingQueue<>(EVENTS_MAX);

  private Phase phase = Phase.IDLE;
  private long phaseBegan = System.nanoTime();
  private int turn;
  private int ticks;
  private String text = "";
  private volatile @Nullable Deed deed;
  private boolean deedRuns;
  private boolean said;
  private volatile List<String> lastWords = List.of();
  private @Nullable Integer exit;

  private StandIn(StandInOrder order, LiveScreen screen) throws IOException {
    this.order = order;
    this.screen = screen;
    this.face = new Face(screen);
    this.log = new TextLog(order.log());
  }

  public static void main(String[] args) throws InterruptedException {
    StandIn standIn;
    try {
      StandInOrder order = StandInOrder.of(args);
      RawTerminal terminal = RawTerminal.take();
      var out = new FileOutputStream(FileDescriptor.out);
      standIn = new StandIn(order, new LiveScreen(out, terminal.rows(), terminal.columns()));
      // Also when it is told to end, or the terminal is taken away.
      StandIn begun = standIn;
      Runtime.getRuntime().addShutdownHook(new Thread(() -> begun.end(terminal), "end"));
    } catch (IOException | IllegalArgumentException wrong) {
      System.err.println("stand-in: " + wrong.getMessage());
      System.exit(USAGE_EXIT);
      return;
    }
    System.exit(standIn.run());
  }

  private void end(RawTerminal terminal) {
    Deed running = deed;
    if (running != null) running.close();
    try {
      screen.end(lastWords);
    } catch (IOException gone) {
      // Nobody is left to see it.
    }
    terminal.giveBack();
  }

  private int run() throws InterruptedException {
    var in = new FileInputStream(FileDescriptor.in);
    Keyboard keyboard = new Keyboard(key -> post(() -> press(key)));
    Thread reader = new Thread(() -> keyboard.readAll(in), "keyboard");
    reader.setDaemon(true);
    try {
      begin();
      reader.start();
      while (exit == null) {
        Event event = awaitEvent();
        if (event != null) event.happen();
        if (exit == null) goOn();
      }
      return exit;
    } catch (IOException terminalGone) {
      return 1;
    }
  }

  private void begin() throws IOException {
    Map<String, String> env = System.getenv();
    List<String> welcome =
        face.welcome(
            env.getOrDefault("AGENT_CONVERSATION", ""), env.getOrDefault("AGENT_RESUME", ""));
    enter(order.dialog() ? Phase.ASKING : Phase.IDLE);
    screen.begin();
    screen.show(welcome, live());
  }

  private void post(Event event) {
    try {
      events.put(event);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private @Nullable Event awaitEvent() throws InterruptedException {
    return switch (phase) {
      case ASKING, IDLE -> events.take();
      case WORKING -> events.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
      case TAKEN, SILENT, ANSWERED -> {
        long left = order.pace().lateMillis() - phaseMillis();
        yield events.poll(Math.max(0, left), TimeUnit.MILLISECONDS);
      }
    };
  }

  private void press(Key key) throws IOException {
    switch (key.kind()) {
      case END -> exit = 0;
      case SIZE -> size(key.text());
      case REDRAW -> screen.redraw(live());
      default -> {
        if (phase == Phase.ASKING) answerDialog(key);
        else edit(key);
      }
    }
  }

  /** A dialog takes keys alone; what is pasted into it is lost. */
  private void answerDialog(Key key) throws IOException {
    boolean yes = key.kind() == Key.Kind.ENTER || key.text().equals("1");
    boolean typed = key.kind() == Key.Kind.ENTER || key.kind() == Key.Kind.TYPED;
    if (key.kind() == Key.Kind.INTERRUPT || typed && key.text().equals("2")) exit = 1;
    if (!typed || !yes) return;
    enter(Phase.IDLE);
    show(List.of());
  }

  private void edit(Key key) throws IOException {
    boolean room = true;
    switch (key.kind()) {
      case TYPED -> room = drafts.add(key.text());
      case PASTED -> room = drafts.paste(key.text(), key.atNanos());
      case PASTED_CUT -> {
        drafts.paste(key.text(), key.atNanos());
        room = false;
      }
      case ENTER -> drafts.enter(key.atNanos());
      case BACKSPACE -> drafts.backspace();
      default -> {
        if (drafts.draft().isEmpty() && phase == Phase.IDLE) exit = 0;
        drafts.clear();
      }
    }
    show(room ? List.of() : List.of("", "  The text was cut: 1 MiB is the most it takes."));
  }

  private void size(String rowsAndColumns) throws IOException {
    String[] said = rowsAndColumns.split(";");
    if (said.length != 2) return;
    int rows = RawTerminal.number(said[0], screen.rows());
    if (screen.resize(rows, RawTerminal.number(said[1], screen.columns()))) screen.redraw(live());
  }

  /** Enters the next phase if this one is over. */
  private void goOn() throws IOException {
    boolean late = phaseMillis() >= order.pace().lateMillis();
    switch (phase) {
      case ASKING -> {}
      case IDLE -> take();
      case TAKEN -> {
        if (late) work();
      }
      case WORKING -> worked();
      case SILENT -> {
        if (late) answer();
      }
      case ANSWERED -> {
        if (!late) return;
        enter(Phase.IDLE);
        show(List.of());
        take();
      }
    }
  }

  private void take() throws IOException {
    String next = drafts.next();
    if (next == null) return;
    if (next.strip().equals(order.exitOn())) {
      exit = 0;
      return;
    }
    text = next;
    turn++;
    said = false;
    log.note(text);
    enter(Phase.TAKEN);
    show(face.echo(text));
    screen.askSize();
  }

  private void work() throws IOException {
    enter(Phase.WORKING);
    show(List.of());
    if (order.program().isEmpty()) return;
    deedRuns = true;
    int mine = turn;
    Runnable ended = () -> post(() -> deedRuns &= turn != mine);
    deed = Deed.start(order.program(), text, line -> post(() -> say(line)), ended).orElse(null);
    if (deed != null) return;
    deedRuns = false;
    say("The program could not be started.");
  }

  private void worked() throws IOException {
    Deed running = deed;
    if (running != null && phaseMillis() > TimeUnit.SECONDS.toMillis(DEED_SECONDS_MAX)) {
      running.close();
      deedRuns = false;
    }
    if (deedRuns || phaseMillis() < order.pace().workMillis()) {
      ticks++;
      show(List.of());
      return;
    }
    deed = null;
    if (turn == order.pace().crashAfter()) {
      lastWords =
          List.of("", "Error: it was told to crash", "    at StandIn.worked (turn " + turn + ")");
      exit = CRASH_EXIT;
      return;
    }
    enter(Phase.SILENT);
    show(List.of());
  }

  private void answer() throws IOException {
    enter(Phase.ANSWERED);
    if (said) show(List.of());
    else say("Turn " + turn + " is done.");
  }

  private void say(String line) throws IOException {
    said = true;
    show(face.answer(line));
  }

  private void enter(Phase next) {
    phase = next;
    phaseBegan = System.nanoTime();
  }

  private long phaseMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - phaseBegan);
  }

  private void show(List<String> lines) throws IOException {
    screen.show(lines, live());
  }

  private Live live() {
    return switch (phase) {
      case ASKING -> face.dialog(Path.of("").toAbsolutePath().toString());
      case IDLE, TAKEN, SILENT -> face.prompt(drafts);
      case WORKING -> face.atWork(drafts, ticks, phaseMillis() / 1_000);
      case ANSWERED -> face.bare(drafts);
    };
  }
}
