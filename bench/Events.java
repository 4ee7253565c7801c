import dev.mainstay.access.Callers;
import dev.mainstay.access.LocalToken;
import dev.mainstay.app.Mainstay;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.Terms;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.rest.RestServer;
import dev.mainstay.rest.ServerSettings;
import dev.mainstay.rest.Wakeups;
import dev.mainstay.store.Changes.News;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import io.opentelemetry.api.OpenTelemetry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How fast events reach many who listen, without and with one beside them who never reads: {@code
 * Events FOLDER READERS}. Readers are plain sockets on two threads; the server is in this process.
 */
public final class Events {
  private static final Call CALL = Call.by(Actor.person("bench"), "cli");
  private static final int PACED = 50;
  private static final Duration PACE = Duration.ofMillis(100);
  private static final int BURST = 400;
  private static final int WRITERS = 8;
  private static final int ROUNDS = 3;
  private static final int READING_THREADS = 2;
  private static final int DIGITS = 8;
  private static final byte[] MARK = "event-".getBytes(StandardCharsets.US_ASCII);
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** So much waits for the one who never reads that its connection is full at once. */
  private static final int LARGE = 150;

  private static final int LARGE_CHARS = 60_000;

  private final Store store;
  private final RestServer server;
  private final String token;
  private final int readers;

  private Events(Store store, RestServer server, String token, int readers) {
    this.store = store;
    this.server = server;
    this.token = token;
    this.readers = readers;
  }

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    String file = folder.resolve("events.sqlite3").toString();
    LocalToken token = new LocalToken(folder.resolve(".mainstay"), "bench");
    try (Mainstay rooms = Mainstay.open(file);
        Store store = Store.open(StoreAddress.parse(file), StoreSettings.DEFAULT)) {
      var settings =
          ServerSettings.on("127.0.0.1", 0)
              .with(new ServerSettings.Readers(PATIENCE, ServerSettings.READERS_MAX));
      var callers = new Callers(token, rooms.access());
      try (RestServer server =
          RestServer.start(rooms, callers, settings, wakeups(store), OpenTelemetry.noop())) {
        new Events(store, server, token.get(), Integer.parseInt(args[1])).run();
      }
    }
  }

  /** Those who write tell, as in a server. */
  private static Wakeups wakeups(Store store) {
    return new Wakeups() {
      @Override
      public long seen() {
        return store.changes().seen(News.JOURNAL);
      }

      @Override
      public void await(long since, Duration atMost) {
        store.changes().await(News.JOURNAL, since, atMost);
      }
    };
  }

  /** What one part came to. */
  private record Figures(double perSecond, double p50, double p99, long listening) {}

  private void run() throws Exception {
    for (int i = 0; i < LARGE; i++) create("large", "x".repeat(LARGE_CHARS));
    part(false); // warms up
    List<Figures> alone = new ArrayList<>();
    List<Figures> beside = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) { // in turn, so that another load of the machine meets both
      alone.add(part(false));
      beside.add(part(true));
    }
    Figures without = median(alone);
    Figures with = median(beside);
    System.out.printf(
        Locale.ROOT,
        "{\"readers\":%d,\"without\":%s,\"with_slow_reader\":%s,"
            + "\"events_per_second_ratio\":%.2f,\"p99_ratio\":%.2f}%n",
        readers,
        json(without),
        json(with),
        with.perSecond / without.perSecond,
        with.p99 / without.p99);
  }

  private static Figures median(List<Figures> all) {
    int middle = all.size() / 2;
    return new Figures(
        all.stream().mapToDouble(Figures::perSecond).sorted().toArray()[middle],
        all.stream().mapToDouble(Figures::p50).sorted().toArray()[middle],
        all.stream().mapToDouble(Figures::p99).sorted().toArray()[middle],
        all.get(0).listening);
  }

  private static String json(Figures figures) {
    return String.format(
        Locale.ROOT,
        "{\"listening\":%d,\"deliveries_per_second\":%.0f,\"p50_ms\":%.1f,\"p99_ms\":%.1f}",
        figures.listening,
        figures.perSecond,
        figures.p50,
        figures.p99);
  }

  private void create(String title, String description) {
    var brief = new Brief(title, description, TaskType.CODE, 0, JsonObject.EMPTY);
    new Tasks(store).create(new NewTask(brief, null, null, List.of(), Terms.NONE), CALL);
  }

  private Figures part(boolean slowOne) throws Exception {
    SocketChannel slow = slowOne ? connect("/events?after=start") : null;
    try (Crowd crowd = new Crowd(readers, PACED + BURST)) {
      while (listening() != readers + (slowOne ? 1 : 0)) Thread.sleep(20);
      for (int i = 0; i < PACED; i++) {
        crowd.committed.set(i, Long.MAX_VALUE);
        create(title(i), "");
        crowd.committed.set(i, System.nanoTime());
        Thread.sleep(PACE.toMillis());
      }
      crowd.await((long) PACED * readers);
      long[] delays = crowd.delays();
      long begin = System.nanoTime();
      burst();
      crowd.await((long) (PACED + BURST) * readers);
      double seconds = (System.nanoTime() - begin) / 1e9;
      long listening = listening();
      return new Figures(
          BURST * readers / seconds,
          delays[delays.length / 2] / 1e6,
          delays[(int) (delays.length * 0.99)] / 1e6,
          listening);
    } finally {
      if (slow != null) slow.close();
      while (listening() != 0) { // who left is noticed with the next event
        create("end", "");
        Thread.sleep(50);
      }
    }
  }

  private static String title(int number) {
    return String.format(Locale.ROOT, "event-%0" + DIGITS + "d", number);
  }

  private void burst() throws InterruptedException {
    List<Thread> writers = new ArrayList<>();
    for (int w = 0; w < WRITERS; w++) {
      int from = PACED + w * BURST / WRITERS;
      int to = PACED + (w + 1) * BURST / WRITERS;
      writers.add(
          new Thread(
              () -> {
                for (int i = from; i < to; i++) create(title(i), "");
              }));
    }
    writers.forEach(Thread::start);
    for (Thread writer : writers) writer.join();
  }

  /** How many the server says are listening. */
  private long listening() throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/metrics"))
            .header("Authorization", "Bearer " + token);
    String figures = CLIENT.send(request.build(), BodyHandlers.ofString()).body();
    return figures
        .lines()
        .filter(line -> line.startsWith("mainstay_events_readers"))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** With HTTP/1.0, so that no chunk's length comes between. */
  private SocketChannel connect(String path) throws IOException {
    SocketChannel channel = SocketChannel.open();
    channel.setOption(StandardSocketOptions.SO_RCVBUF, 65_536);
    channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    String request =
        String.format(
            Locale.ROOT,
            "GET %s HTTP/1.0\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n\r\n",
            path,
            server.port(),
            token);
    channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
    return channel;
  }

  /** Looks for marks in what comes, wherever it is cut. */
  private static final class Scanner {
    private int matched;
    private int number;

    /** The number of the event that ends with this byte, or -1. */
    int next(byte b) {
      if (matched >= MARK.length && b >= '0' && b <= '9') {
        number = number * 10 + b - '0';
        matched++;
        if (matched < MARK.length + DIGITS) return -1;
        matched = 0;
        return number;
      }
      if (matched < MARK.length && b == MARK[matched]) {
        matched++;
        number = 0;
      } else {
        matched = b == MARK[0] ? 1 : 0;
      }
      return -1;
    }
  }

  /** Those who listen and read. */
  private final class Crowd implements AutoCloseable {
    final AtomicLongArray committed;
    private final AtomicLong received = new AtomicLong();
    private final long[] delays;
    private final AtomicLong delaysTaken = new AtomicLong();
    private final List<Selector> selectors = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean over;

    Crowd(int size, int events) throws IOException {
      committed = new AtomicLongArray(events);
      delays = new long[PACED * size];
      for (int i = 0; i < READING_THREADS; i++) selectors.add(Selector.open());
      for (int i = 0; i < size; i++) {
        SocketChannel channel = connect("/events");
        channel.configureBlocking(false);
        channel.register(selectors.get(i % READING_THREADS), SelectionKey.OP_READ, new Scanner());
      }
      for (Selector selector : selectors) {
        Thread thread = new Thread(() -> read(selector));
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
      }
    }

    private void read(Selector selector) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(65_536);
      try {
        while (!over) {
          selector.select(100);
          long now = System.nanoTime();
          for (SelectionKey key : selector.selectedKeys()) {
            buffer.clear();
            if (((SocketChannel) key.channel()).read(buffer) < 0) {
              throw new IllegalStateException("a reader was sent away");
            }
            buffer.flip();
            Scanner scanner = (Scanner) key.attachment();
            while (buffer.hasRemaining()) {
              int number = scanner.next(buffer.get());
              if (number >= 0) arrived(number, now);
            }
          }
          selector.selectedKeys().clear();
        }
      } catch (IOException | RuntimeException fault) {
        if (!over) {
          fault.printStackTrace();
          System.exit(1);
        }
      }
    }

    /** An event may be there before its writer knows that it is committed: that is no delay. */
    private void arrived(int number, long now) {
      if (number < PACED) {
        delays[(int) delaysTaken.getAndIncrement()] = Math.max(0, now - committed.get(number));
      }
      received.incrementAndGet();
    }

    void await(long count) throws InterruptedException {
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (received.get() < count) {
        if (System.nanoTime() > end) {
          throw new IllegalStateException(received.get() + " of " + count + " arrived");
        }
        Thread.sleep(1);
      }
      if (received.get() > count) throw new IllegalStateException("some arrived twice");
    }

    long[] delays() {
      long[] sorted = delays.clone();
      Arrays.sort(sorted);
      return sorted;
    }

    @Override
    public void close() throws Exception {
      over = true;
      for (Thread thread : threads) thread.join();
      for (Selector selector : selectors) {
        for (SelectionKey key : selector.keys()) key.channel().close();
        selector.close();
      }
    }
  }
}
