import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When the page is first painted, when it shows who does what, and how fluently the graph of tasks
 * follows a hand: {@code PagePaint ADDRESS TOKEN FOLDER} opens it in Chromium, whose profile is a
 * new folder, and prints the first and the median.
 */
public final class PagePaint {
  private static final int ROUNDS = 5;
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** Answers once the figures are on the screen, by the clock that began with the navigation. */
  private static final String WAIT =
      "const told = arguments[0]; const look = () => { const paint = performance.getEntriesByName('first-contentful-paint')[0];"
          + " if (paint && document.querySelector('.counts')) told(paint.startTime + ' ' + performance.now());"
          + " else requestAnimationFrame(look); }; look();";

  /**
   * Answers with the time until the graph is drawn, then with how long each of its frames takes to
   * make while it is dragged: first the whole, then near enough to read the titles.
   */
  private static final String DRAG =
      "const told = arguments[0]; const begun = performance.now(); location.hash = '#/tasks?view=graph';"
          + " const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));"
          + " const drag = async (canvas, kind, at) => { const box = canvas.getBoundingClientRect();"
          + " canvas.dispatchEvent(new PointerEvent(kind, { pointerId: 1, bubbles: true, clientX: box.x + 300 + at, clientY: box.y + 200 })); };"
          + " const rounds = async (canvas) => { const took = []; canvas.setPointerCapture = () => {}; await drag(canvas, 'pointerdown', 0);"
          + " for (let i = 1; i <= 60; i++) { drag(canvas, 'pointermove', i * 3);"
          + " await new Promise((done) => requestAnimationFrame(() => { const at = performance.now(); setTimeout(() => { took.push(performance.now() - at); done(); }); })); }"
          + " await drag(canvas, 'pointercancel', 0); return took.sort((a, b) => a - b); };"
          + " const look = async () => { const canvas = document.querySelector('canvas');"
          + " if (!canvas || !/ tasks, [0-9,]+ dependencies/.test(document.body.innerText)) return requestAnimationFrame(look);"
          + " await frame(); const drawn = performance.now() - begun; const whole = await rounds(canvas);"
          + " for (let i = 0; i < 12; i++) canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -200, clientX: 600, clientY: 400, bubbles: true, cancelable: true }));"
          + " await frame(); const near = await rounds(canvas);"
          + " told([drawn, whole[30], whole[57], near[30], near[57]].map((each) => each.toFixed(1)).join(' ')); }; look();";

  /** Goes through the pages and answers with the largest of all answers, as it was sent. */
  private static final String LARGEST =
      "const told = arguments[0]; const pages = ['#/', '#/tasks', '#/tasks?view=graph', '#/journal', '#/charts', '#/workflows', '#/terminals'];"
          + " const settled = () => new Promise((done) => { const look = () => /Loading|Placing/.test(document.body.innerText) ? setTimeout(look, 50) : setTimeout(done, 500); setTimeout(look, 200); });"
          + " const walk = async () => { for (const page of pages) { location.hash = page; await settled(); }"
          + " const all = performance.getEntriesByType('resource').filter((each) => !new URL(each.name).pathname.startsWith('/page/'));"
          + " const most = all.reduce((a, b) => (a.encodedBodySize >= b.encodedBodySize ? a : b)); const { pathname } = new URL(most.name);"
          + " told([pathname, most.encodedBodySize, most.decodedBodySize, all.length].join(' ')); }; walk();";

  public static void main(String[] args) throws Exception {
    int port = freePort();
    Process driver = new ProcessBuilder("chromedriver", "--port=" + port).start();
    try {
      String base = "http://127.0.0.1:" + port;
      awaitReady(base);
      String session = base + "/session/" + begin(base, args[2]);
      double[][] shown = new double[2][ROUNDS];
      for (int i = 0; i < ROUNDS; i++) {
        send("POST", session + "/url", "{\"url\":\"about:blank\"}");
        String hash = i == 0 ? "/#token=" + args[1] : "/#/";
        send("POST", session + "/url", "{\"url\":\"" + args[0] + hash + "\"}");
        String told =
            send("POST", session + "/execute/async", "{\"args\":[],\"script\":\"" + WAIT + "\"}");
        Matcher times = Pattern.compile("([0-9.]+) ([0-9.]+)").matcher(told);
        if (!times.find()) throw new IllegalStateException(told);
        for (int k = 0; k < 2; k++) shown[k][i] = Double.parseDouble(times.group(k + 1));
      }
      String graph =
          send("POST", session + "/execute/async", "{\"args\":[],\"script\":\"" + DRAG + "\"}");
      String largest =
          send("POST", session + "/execute/async", "{\"args\":[],\"script\":\"" + LARGEST + "\"}");
      send("DELETE", session, null);
      print("first paint", shown[0]);
      print("who does what", shown[1]);
      printGraph(graph);
      printLargest(largest);
    } finally {
      driver.destroy();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }

  private static void awaitReady(String base) throws Exception {
    for (int tries = 0; ; tries++) {
      try {
        if (send("GET", base + "/status", null).contains("\"ready\":true")) return;
      } catch (IOException notYet) {
        if (tries > 100) throw notYet;
      }
      Thread.sleep(50);
    }
  }

  private static String begin(String base, String folder) throws Exception {
    String options =
        "\"--headless\",\"--no-sandbox\",\"--disable-gpu\",\"--disable-quic\",\"--no-first-run\","
            + "\"--disable-background-networking\",\"--disable-component-update\",\"--disable-sync\","
            + "\"--disable-dev-shm-usage\",\"--user-data-dir="
            + folder
            + "\"";
    String wanted =
        "{\"capabilities\":{\"alwaysMatch\":{\"goog:chromeOptions\":{\"args\":["
            + options
            + "]}}}}";
    String told = send("POST", base + "/session", wanted);
    Matcher id = Pattern.compile("\"sessionId\":\"([^\"]+)\"").matcher(told);
    if (!id.find()) throw new IllegalStateException(told);
    return id.group(1);
  }

  private static String send(String verb, String address, String body) throws Exception {
    var content =
        body == null
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(body);
    HttpRequest request = HttpRequest.newBuilder(URI.create(address)).method(verb, content).build();
    return CLIENT.send(request, BodyHandlers.ofString()).body();
  }

  private static void printGraph(String told) {
    String number = "([0-9.]+)";
    Matcher times =
        Pattern.compile(String.join(" ", number, number, number, number, number)).matcher(told);
    if (!times.find()) throw new IllegalStateException(told);
    System.out.printf(
        "{\"look\":\"graph\",\"drawn_ms\":%s,\"frame_median_ms\":%s,\"frame_p95_ms\":%s,\"near_median_ms\":%s,\"near_p95_ms\":%s}%n",
        times.group(1), times.group(2), times.group(3), times.group(4), times.group(5));
  }

  private static void printLargest(String told) {
    Matcher found = Pattern.compile("(/[^ \"]*) ([0-9]+) ([0-9]+) ([0-9]+)").matcher(told);
    if (!found.find()) throw new IllegalStateException(told);
    System.out.printf(
        "{\"look\":\"largest answer\",\"path\":\"%s\",\"sent_bytes\":%s,\"bytes\":%s,\"answers\":%s}%n",
        found.group(1), found.group(2), found.group(3), found.group(4));
  }

  private static void print(String what, double[] millis) {
    double first = millis[0];
    Arrays.sort(millis);
    System.out.printf(
        "{\"look\":\"%s\",\"first_ms\":%.0f,\"median_ms\":%.0f}%n",
        what, first, millis[ROUNDS / 2]);
  }
}
