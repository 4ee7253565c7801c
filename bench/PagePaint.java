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
 * When the page is first painted and when it shows who does what: {@code PagePaint ADDRESS TOKEN
 * FOLDER} opens it in Chromium, whose profile is a new folder, and prints the first and the median.
 */
public final class PagePaint {
  private static final int ROUNDS = 5;
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** Answers once the figures are on the screen, by the clock that began with the navigation. */
  private static final String WAIT =
      "const told = arguments[0]; const look = () => { const paint = performance.getEntriesByName('first-contentful-paint')[0];"
          + " if (paint && document.querySelector('.counts')) told(paint.startTime + ' ' + performance.now());"
          + " else requestAnimationFrame(look); }; look();";

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
      send("DELETE", session, null);
      print("first paint", shown[0]);
      print("who does what", shown[1]);
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

  private static void print(String what, double[] millis) {
    double first = millis[0];
    Arrays.sort(millis);
    System.out.printf(
        "{\"look\":\"%s\",\"first_ms\":%.0f,\"median_ms\":%.0f}%n",
        what, first, millis[ROUNDS / 2]);
  }
}
