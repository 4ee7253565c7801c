package dev.mainstay.app;

import dev.mainstay.cli.Door;
import dev.mainstay.cli.Io;
import dev.mainstay.cli.Io.Screen;
import dev.mainstay.domain.Refusal;
import dev.mainstay.process.Programs;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The program's beginning and end. */
public final class Main {
  private static final int BUFFER_BYTES = 8192;
  private static final int FAULT = 70;
  private static final int UNWRITTEN = 5;

  private Main() {}

  public static void main(String[] args) {
    ServerLog.choose(args);
    Outlet outlet = new Outlet(FileDescriptor.out);
    PrintStream out = stream(outlet);
    PrintStream err = stream(new FileOutputStream(FileDescriptor.err));
    int code = run(args, out, err);
    end(args, code == 0 ? written(outlet, err) : code);
  }

  /** Where nothing waits for the end, the JDK's own ceremony would only cost a hook time. */
  private static void end(String[] args, int code) {
    if (args.length > 0 && args[0].equals("hook")) Runtime.getRuntime().halt(code);
    System.exit(code);
  }

  /** An answer that is cut off must not look like a whole one. */
  private static int written(Outlet outlet, PrintStream err) {
    String fault = outlet.fault();
    if (fault.isEmpty()) return 0;
    err.println(
        "mainstay: the command was carried out, but its answer could not be written ("
            + fault
            + ")");
    err.flush();
    return UNWRITTEN;
  }

  private static int run(String[] args, PrintStream out, PrintStream err) {
    try {
      if (args.length == 2 && args[0].equals("warm-up")) return WarmUp.run(args[1]);
      try (PutDown input = PutDown.open(System.getProperty("mainstay.input", ""))) {
        if (!input.isOurs()) return input.exit(err, args);
        Map<String, String> env = input.env(System.getenv());
        Wiring wiring = new Wiring(env, Path.of(""));
        Io io = new Io(input.in(), out, err, env, screen(args, env, wiring));
        LeftEvents.hearBefore(args, env, Path.of(""));
        return input.settled(Door.run(args, io, wiring));
      }
    } catch (RuntimeException | Error fault) {
      return told(fault, err);
    } finally {
      out.flush();
      err.flush();
    }
  }

  static int told(Throwable fault, PrintStream err) {
    if (fault instanceof OutOfMemoryError) {
      err.println(
          "mainstay: this needs more memory than it has; give it more, for example with"
              + " MAINSTAY_JAVA_OPTS=-Xmx1g");
    } else {
      err.println("mainstay: an error that should not happen; please report it with these lines");
      fault.printStackTrace(err);
    }
    return FAULT;
  }

  /** The launcher knows whether output goes to a terminal; finding out here costs a process. */
  private static Screen screen(String[] args, Map<String, String> env, Wiring wiring) {
    boolean terminal = Boolean.getBoolean("mainstay.terminal");
    if (!terminal) return Screen.PIPE;
    boolean machine = List.of(args).contains("--json");
    return new Screen(true, machine ? Screen.COLUMNS : columns(env), colour(wiring));
  }

  /** Settings that cannot be read are the command's business, not the screen's. */
  private static boolean colour(Wiring wiring) {
    try {
      return wiring.colour(true);
    } catch (Refusal later) {
      return false;
    }
  }

  private static int columns(Map<String, String> env) {
    String exported = env.getOrDefault("COLUMNS", "");
    if (exported.matches("\\d{2,4}")) return Integer.parseInt(exported);
    return Programs.runOnTerminal(List.of("stty", "size"), Duration.ofSeconds(1))
        .filter(ended -> ended.output().strip().matches("\\d+ \\d{2,4}"))
        .map(ended -> Integer.parseInt(ended.output().strip().split(" ")[1]))
        .orElse(Screen.COLUMNS);
  }

  /** Always UTF-8, whatever the locale, and not flushed at every line. */
  private static PrintStream stream(OutputStream to) {
    var buffered = new BufferedOutputStream(to, BUFFER_BYTES);
    return new PrintStream(buffered, false, StandardCharsets.UTF_8);
  }
}
