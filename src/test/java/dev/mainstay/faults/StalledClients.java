package dev.mainstay.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * For {@code faults/stalled}: how long a server takes to answer those who mean well, alone and
 * beside clients that stall, in turns. It prints one line of figures and ends with 0; whether they
 * are good is the script's business. Arguments: folder, turns, seconds of a turn, stalled clients,
 * and the command that starts the server there.
 */
public final class StalledClients {
  private static final int HEALTHY = 4;
  private static final int WARM_UP_TURNS = 4;
  private static final long PAUSE_NANOS = 5_000_000;
  private static final long SETTLE_NANOS = 500_000_000;
  private static final int SETTLES_MAX = 60;
  private static final int WRITES_ONE_OF = 4;
  private static final int NOT_ANSWERED_MAX = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final ProcessHandle process;
  private final URI server;
  private final String token;
  private final long turnNanos;
  private int late;

  private StalledClients(ProcessHandle process, URI server, String token, long turnNanos) {
    this.process = process;
    this.server = server;
    this.token = token;
    this.turnNanos = turnNanos;
  }

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    List<String> command = List.of(args).subList(4, args.length);
    Files.createDirectories(folder.resolve(".git")); // or it would look further up for a project
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.redirectError(folder.resolve("server.log").toFile());
    Process process = builder.start();
    try {
      BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
      String line = String.valueOf(said.readLine());
      URI server = URI.create(line.replaceFirst("^.*\"address\":\"([^\"]*)\".*$", "$1"));
      String token = Files.readString(folder.resolve(".mainstay/token")).strip();
      long turnNanos = TimeUnit.SECONDS.toNanos(Long.parseLong(args[2]));
      new StalledClients(process.toHandle(), server, token, turnNanos)
          .play(Integer.parseInt(args[1]), Integer.parseInt(args[3]));
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private void play(int turns, int clients) throws Exception {
    for (int i = 0; i < WARM_UP_TURNS; i++) turn();
    List<Long> alone = new ArrayList<>();
    List<Long> beside = new ArrayList<>();
    int stalled = clients;
    for (int i = 0; i < turns; i++) {
      boolean first = i % 2 == 0; // whoever comes second finds a warmer server
      if (first) alone.addAll(turn());
      try (StalledCrowd crowd = new StalledCrowd(server.getPort(), token, clients)) {
        settle();
        beside.addAll(turn());
        stalled = Math.min(stalled, crowd.stillStalled());
      }
      settle();
      if (!first) alone.addAll(turn());
    }
    System.out.printf(
        "turns=%d stalled=%d requests=%d/%d late=%d p50=%d/%d p99=%d/%d%n",
        turns,
        stalled,
        alone.size(),
        beside.size(),
        late,
        micros(alone, 0.5),
        micros(beside, 0.5),
        micros(alone, 0.99),
        micros(beside, 0.99));
  }

  /**
   * Until the server has come to rest: before answers can stall it writes as many as the connection
   * holds, and that is work, not a stall.
   */
  private void settle() {
    long before = Long.MIN_VALUE;
    for (int i = 0; i < SETTLES_MAX; i++) {
      long now = process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
      if (now - SETTLE_NANOS / 5 < before) return;
      before = now;
      LockSupport.parkNanos(SETTLE_NANOS);
    }
    throw new IllegalStateException("the server does not come to rest");
  }

  private static long micros(List<Long> nanos, double part) {
    Collections.sort(nanos);
    return nanos.get((int) Math.min(nanos.size() - 1L, (long) (part * nanos.size()))) / 1_000;
  }

  /** Some at once who read, and now and then make something. */
  private List<Long> turn() throws InterruptedException {
    List<Long> took = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    long end = System.nanoTime() + turnNanos;
    for (int i = 0; i < HEALTHY; i++) threads.add(new Thread(() -> ask(end, took)));
    threads.forEach(Thread::start);
    for (Thread each : threads) each.join();
    return took;
  }

  private void ask(long end, List<Long> took) {
    int waitedInVain = 0;
    for (int i = 0; System.nanoTime() - end < 0 && waitedInVain < NOT_ANSWERED_MAX; i++) {
      long begun = System.nanoTime();
      if (!isAnswered(i % WRITES_ONE_OF == 0)) waitedInVain++;
      took.add(System.nanoTime() - begun);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    addLate(waitedInVain);
  }

  private synchronized void addLate(int more) {
    late += more;
  }

  private boolean isAnswered(boolean writes) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.resolve(writes ? "/tasks" : "/tasks?limit=20"))
            .timeout(PATIENCE)
            .setHeader("Authorization", "Bearer " + token);
    if (writes) {
      request.setHeader("Content-Type", "application/json");
      request.POST(BodyPublishers.ofString("{\"title\": \"a task\"}"));
    }
    try {
      int status = CLIENT.send(request.build(), BodyHandlers.ofString()).statusCode();
      if (status / 100 != 2) throw new IllegalStateException("answered " + status);
      return true;
    } catch (HttpTimeoutException late) {
      return false;
    } catch (IOException | InterruptedException fault) {
      throw new IllegalStateException(fault);
    }
  }
}
