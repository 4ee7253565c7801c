package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mainstay.Jvm;
import dev.mainstay.OwnFolder;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.Terminal;
import dev.mainstay.json.JsonText;
import dev.mainstay.process.Programs;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.terminal.Inbox;
import dev.mainstay.terminal.Inbox.Filter;
import dev.mainstay.terminal.LaunchOrder;
import dev.mainstay.terminal.NewMessage;
import dev.mainstay.terminal.NewTerminal;
import dev.mainstay.terminal.StandIns;
import dev.mainstay.upkeep.Journal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Messages among terminals while the server that types them is killed again and again: half of the
 * terminals pull as a hook does, half are typed to. {@code bench/deliveries} plays more of it.
 */
@Order(1)
class KilledServerTest {
  private static final int MESSAGES = Integer.getInteger("messages", 24);
  private static final int TERMINALS = Integer.getInteger("terminals", 4);
  private static final int KILLS = Integer.getInteger("kills", 3);
  private static final int SENDERS = 4;
  private static final long PATIENCE_NANOS = Duration.ofMinutes(20).toNanos();
  private static final int LIFE_MILLIS_MORE = 1_000;
  private static final Pattern TYPED =
      Pattern.compile("\\[message (\\d+)/[0-9a-f]+\\] from (\\S+):\n(.*)", Pattern.DOTALL);

  @TempDir Path folder;
  private final Random random = new Random(Long.getLong("seed", 1));
  private final Map<String, List<Message>> pulled = new ConcurrentHashMap<>();
  private final List<String> typedTo = new ArrayList<>();
  private Mainstay mainstay;
  private Process server;
  private volatile boolean over;

  @BeforeEach
  void open() throws IOException {
    assumeThat(Programs.run(List.of("tmux", "-V"), Duration.ofSeconds(60)))
        .as("tmux is installed; terminals cannot be tested without it")
        .isPresent();
    OwnFolder.in(folder);
    Files.createDirectories(folder.resolve(".mainstay/agents"));
    Files.createDirectories(folder.resolve(".mainstay/providers"));
    var address = StoreAddress.parse(folder.resolve(".mainstay/state.sqlite3").toString());
    var setup = new TerminalSetup(folder, environment(), TERMINALS, "");
    mainstay = Mainstay.open(address, StoreSettings.DEFAULT, setup);
  }

  private Map<String, String> environment() {
    return Map.of("HOME", folder.toString(), "PATH", System.getenv("PATH"));
  }

  @AfterEach
  void close() throws InterruptedException {
    over = true;
    if (mainstay == null) return;
    if (server != null) server.destroyForcibly().waitFor();
    if (!typedTo.isEmpty()) {
      String socket = mainstay.terminals().get(typedTo.get(0)).seated().window().socket();
      Programs.run(List.of("tmux", "-S", socket, "kill-server"), Duration.ofSeconds(60));
    }
    mainstay.close();
  }

  private void startServer() throws IOException {
    List<String> argv = Jvm.words(List.of(), Main.class, "serve", "--port", "0");
    var builder = new ProcessBuilder(argv).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("MAINSTAY_"));
    builder.environment().putAll(environment());
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("server.log").toFile()));
    server = builder.start();
  }

  @Test
  void nothing_is_lost_and_repeats_are_reported_while_the_server_is_killed_again_and_again()
      throws Exception {
    launchScreens();
    List<String> hooks = registerHooks();
    startServer();
    List<Thread> threads = new ArrayList<>();
    for (String each : hooks) threads.add(thread(() -> pull(each)));
    List<String> all = new ArrayList<>(typedTo);
    all.addAll(hooks);
    for (int i = 0; i < SENDERS; i++) {
      String sender = "sender-" + i;
      threads.add(thread(() -> send(sender, all)));
    }
    int hit = 0;
    for (int i = 0; i < KILLS; i++) if (killOnce()) hit++;
    await(() -> allSent() && mainstay.inbox().list(null, Filter.OPEN, 0, Inbox.PAGE_MAX).isEmpty());
    over = true;
    for (Thread each : threads) each.join();
    assertThat(mainstay.inbox().list(null, Filter.ALL, 0, Inbox.PAGE_MAX))
        .hasSize(MESSAGES)
        .allMatch(each -> each.standing().status() == Message.Status.DELIVERED);
    hooks.forEach(this::checkHook);
    typedTo.forEach(this::checkScreen);
    System.out.printf("killed deliveries: %d kills, %d while messages waited%n", KILLS, hit);
    assertThat(hit).as("kills while messages were to be typed").isPositive();
  }

  /**
   * Kills the server at a random moment after it has typed something, for it is then at the next;
   * says whether there was a next one.
   */
  private boolean killOnce() throws Exception {
    long before = typed();
    await(() -> typed() > before || allSent() && openOnScreens() == 0 || !server.isAlive());
    boolean ended = server.waitFor(random.nextInt(LIFE_MILLIS_MORE), TimeUnit.MILLISECONDS);
    assertThat(ended).as("it ended by itself: see server.log").isFalse();
    boolean more = openOnScreens() > 0;
    server.destroyForcibly().waitFor();
    startServer();
    return more;
  }

  private boolean allSent() {
    return mainstay.inbox().list(null, Filter.ALL, 0, Inbox.PAGE_MAX).size() == MESSAGES;
  }

  private long typed() {
    return typedTo.stream().mapToLong(each -> sentTo(each).size()).sum() - openOnScreens();
  }

  private long openOnScreens() {
    return typedTo.stream()
        .mapToLong(each -> mainstay.inbox().list(each, Filter.OPEN, 0, Inbox.PAGE_MAX).size())
        .sum();
  }

  private static Thread thread(Runnable work) {
    Thread made = new Thread(work);
    made.setDaemon(true);
    made.start();
    return made;
  }

  private void launchScreens() throws IOException {
    for (int i = 0; i < TERMINALS / 2; i++) {
      String name = "agent" + i;
      Path log = folder.resolve(name + ".log");
      String yaml = StandIns.providerYaml(List.of("--log", log.toString(), "--work", "20"));
      Files.writeString(
          folder.resolve(".mainstay/providers/" + name + ".yaml"),
          yaml.replace("name: " + StandIns.PROVIDER, "name: " + name));
      Files.writeString(
          folder.resolve(".mainstay/agents/" + name + ".md"),
          "---\nname: " + name + "\ndescription: answers\nprovider: " + name + "\n---\n");
      Terminal made = mainstay.launches().launch(LaunchOrder.of(name, folder), person());
      typedTo.add(made.id());
    }
  }

  private List<String> registerHooks() {
    List<String> ids = new ArrayList<>();
    for (int i = typedTo.size(); i < TERMINALS; i++) {
      String id = "hook-" + i;
      mainstay.terminals().register(NewTerminal.external(id), person());
      pulled.put(id, new CopyOnWriteArrayList<>());
      ids.add(id);
    }
    return ids;
  }

  private static Call person() {
    return Call.by(Actor.person("ada"), "test");
  }

  /** One after the other, so that their order is known. */
  private void send(String sender, List<String> receivers) {
    Call call = Call.by(Actor.agent(sender), "test");
    int own = MESSAGES / SENDERS;
    for (int i = 0; i < own; i++) {
      String receiver = receivers.get((i + sender.hashCode() % 7 + 7) % receivers.size());
      mainstay.inbox().send(NewMessage.to(receiver, sender + " says " + i), call);
    }
  }

  private void pull(String id) {
    Call call = Call.by(Actor.agent(id), "test");
    while (!over) {
      for (Message each : mainstay.inbox().pull(id, 5, Inbox.LEASE, call)) {
        if (mainstay.inbox().acknowledge(id, List.of(each.id()), call).now().contains(each.id())) {
          pulled.get(id).add(each);
        }
      }
      java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
    }
  }

  private void await(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        List<Message> open = mainstay.inbox().list(null, Filter.OPEN, 0, Inbox.PAGE_MAX);
        throw new AssertionError("still open: " + open);
      }
      java.util.concurrent.locks.LockSupport.parkNanos(50_000_000);
    }
  }

  private void checkHook(String id) {
    List<Message> got = pulled.get(id);
    assertThat(got).extracting(Message::id).doesNotHaveDuplicates().isSorted();
    assertThat(got).hasSize(sentTo(id).size());
    assertInOrder(got.stream().map(Message::text).toList());
  }

  private List<Message> sentTo(String id) {
    return mainstay.inbox().list(id, Filter.ALL, 0, Inbox.PAGE_MAX);
  }

  private void checkScreen(String id) {
    Map<Long, Integer> times = new TreeMap<>();
    List<String> firsts = new ArrayList<>();
    for (String text : heardBy(id)) {
      Matcher typed = TYPED.matcher(text);
      assertThat(typed.matches()).as(text).isTrue();
      if (times.merge(Long.valueOf(typed.group(1)), 1, Integer::sum) == 1) {
        firsts.add(typed.group(3));
      }
    }
    assertThat(times.keySet())
        .as("every message was heard")
        .containsExactlyElementsOf(sentTo(id).stream().map(Message::id).toList());
    Set<Long> reported = reportedOf(id);
    times.forEach(
        (message, count) ->
            assertThat(count == 1 || reported.contains(message))
                .as("message %d came %d times; reported: %s", message, count, reported)
                .isTrue());
    assertInOrder(firsts);
  }

  private List<String> heardBy(String id) {
    String profile = String.valueOf(mainstay.terminals().get(id).profile());
    try {
      return Files.readAllLines(folder.resolve(profile + ".log")).stream()
          .map(line -> JsonText.object("{\"text\":" + line + "}").text("text"))
          .toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private Set<Long> reportedOf(String id) {
    return mainstay.journal().newest(Terminal.stream(id), Journal.NEWEST_MAX).stream()
        .filter(each -> each.content().kind().equals("inbox.doubtful"))
        .map(JournalEntry::content)
        .map(content -> JsonText.object(content.payload()).number("message_id"))
        .collect(Collectors.toSet());
  }

  private static void assertInOrder(List<String> texts) {
    Map<String, Integer> last = new HashMap<>();
    for (String each : texts) {
      String[] words = each.split(" says ");
      int number = Integer.parseInt(words[1].strip());
      assertThat(number).as(texts.toString()).isGreaterThan(last.getOrDefault(words[0], -1));
      last.put(words[0], number);
    }
  }
}
