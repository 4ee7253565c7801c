package dev.mainstay.faults;

import static dev.mainstay.faults.AskingWriter.Habit.FORGETFUL;
import static dev.mainstay.faults.AskingWriter.Habit.WITH_KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mainstay.Jvm;
import dev.mainstay.faults.AskingWriter.Habit;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Writers in a network namespace of their own, whose link to PostgreSQL is taken down and up again
 * while others go on. Needs root and iproute2; {@code -Dcuts=N} says how often.
 */
@Order(3)
@ResourceLock("chromium") // which breaks off what it loads when a link comes or goes
class NamespaceTest {
  private static final int CUTS = Integer.getInteger("cuts", 1);
  private static final int CUTS_MORE_MAX = 40;

  @TempDir Path temp;
  private final String name = "ms" + ProcessHandle.current().pid() % 1_000_000;
  private final String net = "10.213." + new Random().nextInt(256) + ".";
  private final Writers near = new Writers();
  private KillablePostgres server;
  private Store store;
  private Process apart;
  private BufferedReader said;
  private boolean made;

  @BeforeEach
  void make() throws Exception {
    String missing = missing();
    assumeThat(missing).as("network namespaces cannot be made here: %s", missing).isEmpty();
    made = true;
    ip("link add %s-h type veth peer name %s-n".formatted(name, name));
    ip("link set %s-n netns %s".formatted(name, name));
    ip("addr add %s1/30 dev %s-h".formatted(net, name));
    ip("link set %s-h up".formatted(name));
    ip("-n %s addr add %s2/30 dev %s-n".formatted(name, net, name));
    ip("-n %s link set %s-n up".formatted(name, name));
    Path data = temp.resolve("data");
    server = new KillablePostgres(data);
    server.kill();
    append(data.resolve("postgresql.conf"), "listen_addresses = '*'\n");
    append(data.resolve("pg_hba.conf"), "host all all %s0/30 trust\n".formatted(net));
    server.start(Map.of());
    store = Store.open(server.address(), StoreSettings.DEFAULT);
  }

  private static void append(Path file, String line) throws IOException {
    Files.writeString(file, line, StandardOpenOption.APPEND);
  }

  /** Why there can be no namespace; empty once there is one. */
  private String missing() throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder("ip", "netns", "add", name).redirectErrorStream(true).start();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? "" : out.strip();
    } catch (IOException none) {
      return "iproute2 is missing";
    }
  }

  private static void ip(String words) throws Exception {
    List<String> argv = new ArrayList<>(List.of("ip"));
    argv.addAll(List.of(words.split(" ")));
    Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) throw new IOException(argv + ": " + out);
  }

  @AfterEach
  void remove() throws Exception {
    if (!made) return;
    try {
      if (apart != null) apart.destroyForcibly().waitFor();
      near.abandon();
      if (store != null) store.close();
      near.end();
      if (server != null) server.close();
    } finally {
      ip("netns del " + name); // its link goes with it
    }
  }

  private void begin(Habit habit) throws IOException {
    String url =
        "postgresql://postgres@%s1:%d/postgres?sslmode=disable&socketTimeout=1&connectTimeout=1"
            .formatted(net, server.port());
    List<String> argv = new ArrayList<>(List.of("ip", "netns", "exec", name));
    argv.addAll(Jvm.words(Jvm.QUIET, NamespaceWriter.class, url, habit.name()));
    apart = new ProcessBuilder(argv).redirectError(temp.resolve("writer.log").toFile()).start();
    said = apart.inputReader(StandardCharsets.UTF_8);
  }

  /** Acknowledged, away and unknown, as the writers over there say now. */
  private int[] asked() {
    try {
      apart.getOutputStream().write("how\n".getBytes(StandardCharsets.UTF_8));
      apart.getOutputStream().flush();
      String line = said.readLine();
      if (line == null) throw new AssertionError(Files.readString(temp.resolve("writer.log")));
      String[] words = line.split(" ");
      int[] figures = new int[words.length];
      for (int i = 0; i < words.length; i++) figures[i] = Integer.parseInt(words[i]);
      return figures;
    } catch (IOException fault) {
      throw new IllegalStateException(fault);
    }
  }

  /** Until they are told so, while the others go on; then until they work again. */
  private void cutOnce() throws Exception {
    int before = asked()[1];
    ip("link set %s-h down".formatted(name));
    KillablePostgres.await("they are told", () -> asked()[1] > before);
    if (!near.all().isEmpty()) near.awaitMore(5);
    ip("link set %s-h up".formatted(name));
    int done = asked()[0];
    KillablePostgres.await("they work again", () -> asked()[0] > done + 4);
  }

  @Test
  void who_is_in_another_network_is_told_and_each_write_is_there_once() throws Exception {
    begin(WITH_KEY);
    for (int i = 0; i < 2; i++) near.begin(new AskingWriter("here-" + i, store, WITH_KEY));
    KillablePostgres.await("they work", () -> asked()[0] > 4);
    int cuts = 0;
    for (; cuts < CUTS; cuts++) cutOnce();
    int[] figures = asked();
    near.end();
    System.out.printf(
        "namespaces: %d cuts, %d writes acknowledged there, %d here, told %d times, %d commits"
            + " without an answer%n",
        cuts, figures[0], near.done(), figures[1], figures[2]);
    assertThat(near.wrongs()).isEmpty();
    List<String> titles = ended();
    near.all().forEach(each -> titles.addAll(each.titles()));
    WritersCheck.areThereOnce(store, titles);
  }

  private List<String> ended() throws IOException {
    apart.getOutputStream().write("end\n".getBytes(StandardCharsets.UTF_8));
    apart.getOutputStream().flush();
    List<String> titles = new ArrayList<>();
    for (String line; (line = said.readLine()) != null; ) titles.add(line);
    assertThat(titles).noneMatch(line -> line.startsWith("wrong "));
    return titles;
  }

  @Test
  void whoever_repeats_without_a_key_does_something_twice() throws Exception {
    begin(FORGETFUL);
    KillablePostgres.await("they work", () -> asked()[0] > 4);
    for (int cuts = 0; !WritersCheck.isSomethingTwice(store); cuts++) {
      assertThat(cuts).as("cuts before something was done twice").isLessThan(CUTS_MORE_MAX);
      cutOnce();
    }
  }
}
