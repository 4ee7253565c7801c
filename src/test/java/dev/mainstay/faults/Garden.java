package dev.mainstay.faults;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.mainstay.domain.Task;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Where bugs are planted: beside the real classes, in a class loader of their own. */
final class Garden {
  static final Path SOURCES = Path.of("src/main/java");
  private static final long SECONDS_MAX = 120;

  private final Path folder;
  private final long secondsMax;

  Garden(Path folder) {
    this(folder, SECONDS_MAX);
  }

  /** The same for tests that take longer. */
  Garden(Path folder, long secondsMax) {
    this.folder = folder;
    this.secondsMax = secondsMax;
  }

  /** How the tests of a plant went. */
  record Harvest(long passed, long failed, List<String> said) {
    boolean isCaught() {
      return failed > 0;
    }
  }

  /** Plants a bug and runs the tests that must notice it. */
  Harvest grow(Plant plant) throws Exception {
    Path classes = compile(plant);
    try (Bed bed = new Bed(List.of(classes, home(Garden.class), home(Task.class)))) {
      return run(bed, plant.tests());
    }
  }

  private static Path home(Class<?> of) throws Exception {
    return Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** A folder of classes that go before the real ones. */
  private Path compile(Plant plant) throws IOException {
    Path source = folder.resolve(plant.name()).resolve("src").resolve(plant.file());
    Path classes = Files.createDirectories(folder.resolve(plant.name()).resolve("classes"));
    Files.createDirectories(source.getParent());
    Files.writeString(source, plant.planted(Files.readString(SOURCES.resolve(plant.file()))));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    String path = System.getProperty("java.class.path");
    var options =
        List.of("-proc:none", "-parameters", "-nowarn", "-d", classes.toString(), "-cp", path);
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      var sources = files.getJavaFileObjects(source);
      if (!compiler.getTask(said, files, null, options, null, sources).call()) {
        throw new IllegalStateException(plant.name() + " does not compile:\n" + said);
      }
    }
    return classes;
  }

  /** Loads Mainstay's classes anew, and shares all others. */
  private static final class Bed extends URLClassLoader {
    private static final String OURS = "dev.mainstay.";

    Bed(List<Path> folders) throws IOException {
      super(urls(folders), Garden.class.getClassLoader());
    }

    private static URL[] urls(List<Path> folders) throws IOException {
      URL[] urls = new URL[folders.size()];
      for (int i = 0; i < urls.length; i++) urls[i] = folders.get(i).toUri().toURL();
      return urls;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(OURS)) return super.loadClass(name, resolve);
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        return known != null ? known : findClass(name);
      }
    }

    @Override
    public URL getResource(String name) {
      URL own = findResource(name);
      return own != null ? own : super.getResource(name);
    }
  }

  /** One that hangs is taken for caught: whoever runs the tests would notice. */
  private Harvest run(Bed bed, List<String> tests) throws Exception {
    CompletableFuture<Harvest> over = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                over.complete(runNow(bed, tests));
              } catch (Throwable fault) {
                over.completeExceptionally(fault);
              }
            },
            "planted");
    thread.setDaemon(true);
    thread.setContextClassLoader(bed);
    thread.start();
    try {
      return over.get(secondsMax, TimeUnit.SECONDS);
    } catch (TimeoutException hangs) {
      thread.interrupt();
      return new Harvest(0, 1, List.of("it did not end within " + secondsMax + " s"));
    }
  }

  private static Harvest runNow(Bed bed, List<String> tests) throws ClassNotFoundException {
    var request = LauncherDiscoveryRequestBuilder.request();
    for (String each : tests) request.selectors(selector(bed, each));
    request.configurationParameter("junit.jupiter.execution.parallel.enabled", "false");
    var summary = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request.build(), summary);
    TestExecutionSummary seen = summary.getSummary();
    List<String> said =
        seen.getFailures().stream()
            .map(each -> each.getTestIdentifier().getDisplayName() + ": " + each.getException())
            .toList();
    return new Harvest(seen.getTestsSucceededCount(), seen.getTotalFailureCount(), said);
  }

  private static DiscoverySelector selector(Bed bed, String test) throws ClassNotFoundException {
    String[] parts = test.split("#", 2);
    Class<?> in = bed.loadClass(parts[0]);
    return parts.length == 1 ? selectClass(in) : selectMethod(in, parts[1]);
  }
}
