package dev.mainstay.page;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** How the Chromium that is installed is started, without a window. */
final class Chromium {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");

  /** It warns that it has no classes for this Chromium's protocol; commands by name need none. */
  private static final Logger DEVTOOLS = Logger.getLogger("org.openqa.selenium.devtools");

  private Chromium() {}

  /** Started, and ended with this process; where there is none, the test is skipped. */
  static ChromeDriver start(Duration patience) {
    assumeThat(program("chromedriver")).as("chromedriver is installed").isPresent();
    assumeThat(NAMES.stream().flatMap(name -> program(name).stream()))
        .as("Chromium is installed; the page cannot be tested without it")
        .isNotEmpty();
    DEVTOOLS.setLevel(Level.SEVERE);
    try {
      Path folder = Files.createTempDirectory("mainstay-chromium");
      ChromeDriver driver = new ChromeDriver(service(patience), options(folder));
      driver.manage().timeouts().scriptTimeout(patience);
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    driver.quit();
                    delete(folder);
                  },
                  "chromium-stop"));
      return driver;
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static ChromeDriverService service(Duration patience) {
    return new ChromeDriverService.Builder()
        .usingDriverExecutable(program("chromedriver").orElseThrow().toFile())
        .usingAnyFreePort()
        .withTimeout(patience)
        .build();
  }

  private static ChromeOptions options(Path folder) {
    ChromeOptions options = new ChromeOptions();
    NAMES.stream()
        .flatMap(name -> program(name).stream())
        .findFirst()
        .ifPresent(found -> options.setBinary(found.toString()));
    options.addArguments("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic");
    options.addArguments("--no-first-run", "--disable-background-networking");
    options.addArguments("--disable-component-update", "--disable-sync");
    options.addArguments("--disable-dev-shm-usage", "--user-data-dir=" + folder);
    // On a machine that does much else beside it would take itself for hung, or for out of sight.
    options.addArguments("--disable-gpu-watchdog", "--disable-renderer-backgrounding");
    options.addArguments("--disable-backgrounding-occluded-windows");
    // A name of an attacker, at an address of this machine that is not the server's.
    options.addArguments("--host-resolver-rules=MAP evil.example 127.0.0.2");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
    return options;
  }

  private static void delete(Path folder) {
    try (var files = Files.walk(folder)) {
      files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
    } catch (IOException gone) {
      // What a browser that ends still removes by itself need not be removed here.
    }
  }

  private static Optional<Path> program(String name) {
    return Arrays.stream(System.getenv("PATH").split(":"))
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
