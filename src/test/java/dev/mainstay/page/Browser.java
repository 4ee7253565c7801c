package dev.mainstay.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.stream.Collectors;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

/**
 * The Chromium that is installed, without a window. It is started once for all tests and ends with
 * them; nothing is ever fetched for it.
 */
final class Browser {
  /** A machine that does much else beside is slow, and that is no fault of the page. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final long PAUSE_NANOS = 25_000_000;

  /** Runs before anything of a page does, and sees what the page may not do. */
  private static final String WATCH =
      """
      globalThis.executed = 0;
      globalThis.violations = [];
      document.addEventListener("securitypolicyviolation", (event) =>
        violations.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
      globalThis.addEventListener("error", (event) => violations.push(`error ${event.message}`));
      globalThis.addEventListener("unhandledrejection", (event) => violations.push(`rejected ${event.reason}`));
      """;

  private static Browser shared;

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** The one of all tests; where there is none, the test is skipped. */
  static synchronized Browser shared() {
    if (shared == null) {
      shared = new Browser(Chromium.start(PATIENCE));
      shared.watch();
    }
    return shared;
  }

  /**
   * What belongs to a tab. On a machine that does much else beside, Chromium sometimes takes one
   * for out of sight and draws nothing there for as long as it lives; one that has the focus,
   * whatever the window does, is always drawn.
   */
  private void watch() {
    driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", WATCH));
    driver.executeCdpCommand("Emulation.setFocusEmulationEnabled", Map.of("enabled", true));
  }

  /** A new document at an address; what is watched for begins anew. */
  void open(String address) {
    leave();
    driver.get(address);
  }

  boolean isInSight() {
    return "visible".equals(run("return document.visibilityState"));
  }

  /**
   * As if the person had put the window away: until it is back, a picture of it takes ten seconds.
   */
  void putAway() {
    window("minimized");
  }

  void bringBack() {
    window("normal");
  }

  private void window(String state) {
    Object window =
        driver.executeCdpCommand("Browser.getWindowForTarget", Map.of()).get("windowId");
    driver.executeCdpCommand(
        "Browser.setWindowBounds",
        Map.of("windowId", window, "bounds", Map.of("windowState", state)));
  }

  /**
   * Shows nothing: what was open asks its server no more, and what it complained of is forgotten.
   */
  void leave() {
    driver.get("about:blank");
    driver.manage().logs().get(LogType.BROWSER);
  }

  /** Another place of the same page. */
  void go(String hash) {
    run("location.hash = arguments[0]", hash);
  }

  /** A tab beside this one, which is now the one that is looked at; its name. */
  String openTab(String address) {
    driver.switchTo().newWindow(WindowType.TAB);
    watch();
    driver.get(address);
    return driver.getWindowHandle();
  }

  String tab() {
    return driver.getWindowHandle();
  }

  void lookAt(String tab) {
    driver.switchTo().window(tab);
  }

  /** Looks at this one, and closes all others. */
  void closeOthers(String tab) {
    for (String each : driver.getWindowHandles()) {
      if (each.equals(tab)) continue;
      lookAt(each);
      driver.close();
    }
    lookAt(tab);
  }

  /**
   * The part of the window that shows the page gets this size, whatever the window has around it.
   */
  void size(int width, int height) {
    Map<String, Object> size =
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false);
    driver.executeCdpCommand("Emulation.setDeviceMetricsOverride", size);
  }

  /** light or dark, as the person's system wants it. */
  void colours(String scheme) {
    Map<String, Object> wanted = Map.of("name", "prefers-color-scheme", "value", scheme);
    driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", List.of(wanted)));
  }

  /** What the browser would send to this host, also on another port. */
  String cookies() {
    return driver.manage().getCookies().stream()
        .map(each -> each.getName() + "=" + each.getValue())
        .collect(Collectors.joining("; "));
  }

  Object run(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  Object runLater(String script, Object... arguments) {
    return driver.executeAsyncScript(script, arguments);
  }

  /** All that is shown in words. */
  String text() {
    return String.valueOf(run("return document.body.innerText"));
  }

  void awaitText(String... words) {
    await(String.join(", ", words), () -> Arrays.stream(words).allMatch(text()::contains));
  }

  void awaitNoText(String words) {
    await("no " + words, () -> !text().contains(words));
  }

  /** Whether the window draws at all, for a page that shows nothing is not always the page's. */
  Object frames() {
    return runLater(
        """
        const told = arguments[0];
        let frames = 0;
        const count = () => { frames += 1; requestAnimationFrame(count); };
        requestAnimationFrame(count);
        setTimeout(() => told(`${frames} frames in a second, ${document.visibilityState}`), 1000);""");
  }

  /** Waits until it holds; what a page redraws meanwhile is looked at again. */
  void await(String what, Supplier<Boolean> holds) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        if (holds.get()) return;
      } catch (WebDriverException moved) {
        if (System.nanoTime() > end) throw moved;
      }
      if (System.nanoTime() > end) {
        throw new AssertionError("there is not: " + what + " (" + frames() + ")\nbut: " + text());
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  WebElement find(String css) {
    AtomicReference<WebElement> found = new AtomicReference<>();
    await(
        css,
        () -> {
          all(css).stream().findFirst().ifPresent(found::set);
          return found.get() != null;
        });
    return found.get();
  }

  List<WebElement> all(String css) {
    return driver.findElements(By.cssSelector(css));
  }

  /** Clicks what is there and says this, once it can be clicked. */
  void click(String css, String words) {
    await(
        css + " " + words,
        () -> {
          for (WebElement each : all(css)) {
            // What follows on another line is for those who do not see.
            String said = each.getText().strip().split("\n", 2)[0];
            if (!said.equals(words) || !each.isDisplayed() || !each.isEnabled()) continue;
            each.click();
            return true;
          }
          return false;
        });
  }

  void type(String css, String words) {
    await(
        css + " takes " + words,
        () -> {
          WebElement field = find(css);
          field.clear();
          field.sendKeys(words);
          return true;
        });
  }

  /** The action of a button: its panel is filled in, if it has fields, and done. */
  void act(String button, String... fieldsAndWords) {
    click("main button", button);
    find("dialog[open]");
    for (int i = 0; i < fieldsAndWords.length; i += 2) {
      type("dialog[open] " + fieldsAndWords[i], fieldsAndWords[i + 1]);
    }
    click("dialog[open] button", "Do it");
    await("the panel is gone", () -> all("dialog[open]").isEmpty());
  }

  /** Keys for whatever has the focus. */
  void keys(CharSequence... keys) {
    driver.switchTo().activeElement().sendKeys(keys);
  }

  /** Presses keys on the page as a whole, again if need be: it may be drawn and not yet listen. */
  void press(String shown, CharSequence... keys) {
    await(
        shown,
        () -> {
          find("body").sendKeys(keys);
          return text().contains(shown);
        });
  }

  /** Lets a file go on the page until its name is shown, for the same reason. */
  void drop(Path file) {
    await(
        file + " on the page",
        () -> {
          carry(file);
          return text().contains(String.valueOf(file.getFileName()));
        });
  }

  /** Carries a file over the middle of the window and lets it go there, as a person's hand does. */
  private void carry(Path file) {
    Map<String, Object> carried =
        Map.of("items", List.of(), "files", List.of(file.toString()), "dragOperationsMask", 1);
    for (String moment : List.of("dragEnter", "dragOver", "drop")) {
      Map<String, Object> event = Map.of("type", moment, "x", 640, "y", 400, "data", carried);
      driver.executeCdpCommand("Input.dispatchDragEvent", event);
    }
  }

  /** What is downloaded goes to this folder, without a question. */
  void saveIn(Path folder) {
    Map<String, Object> wanted = Map.of("behavior", "allow", "downloadPath", folder.toString());
    driver.executeCdpCommand("Browser.setDownloadBehavior", wanted);
  }

  /** How far the page reaches beyond the window's right edge, in pixels. */
  long tooWide() {
    return (Long)
        run("return document.documentElement.scrollWidth - document.documentElement.clientWidth");
  }

  Path picture(String name) {
    try {
      Path file = Path.of("target/screenshots", name + ".png");
      Files.createDirectories(file.getParent());
      return Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** What this document tried and may not, scripts of others that ran, and errors of its own. */
  @SuppressWarnings("unchecked")
  List<String> faults() {
    List<String> found = new ArrayList<>((List<String>) run("return globalThis.violations ?? []"));
    Object executed = run("return globalThis.executed ?? 0");
    if (!executed.equals(0L)) found.add(executed + " hostile scripts ran");
    for (LogEntry entry : driver.manage().logs().get(LogType.BROWSER)) {
      if (entry.getLevel().intValue() >= Level.SEVERE.intValue()) found.add(entry.getMessage());
    }
    return found;
  }

  /** What was complained about until now is somebody else's doing. */
  void forgetFaults() {
    faults();
    run("violations.length = 0");
  }

  /** A request that a server refused is an error to the browser, even where the page expects it. */
  void assertFlawlessBut(String... forgiven) {
    List<String> found = new ArrayList<>(faults());
    found.removeIf(fault -> Arrays.stream(forgiven).anyMatch(fault::contains));
    assertThat(found).as("what the browser complains about").isEmpty();
  }
}
