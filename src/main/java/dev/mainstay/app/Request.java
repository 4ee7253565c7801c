package dev.mainstay.app;

import dev.mainstay.hook.Told;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One command line as the launcher put it down for whoever holds the store open: who called, the
 * arguments, and what standard input held.
 */
final class Request {
  /** The first field; another word is another agreement between launcher and owner. */
  static final String AGREEMENT = "mainstay-1";

  /** What ends a request; without it somebody is still writing, or died doing so. */
  private static final byte[] END = "\0mainstay-end".getBytes(StandardCharsets.UTF_8);

  /** The launcher looks at the same. */
  private static final List<String> PROJECT_VARIABLES =
      List.of("CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR");

  /** Events whose host needs no answer; the launcher has the same list. */
  static final Set<String> TELLING =
      Set.of(
          "PostToolUse",
          "PostToolUseFailure",
          "PostToolBatch",
          "PreCompact",
          "PostCompact",
          "SubagentStop",
          "SessionEnd",
          "Notification",
          "AfterTool",
          "PreCompress");

  private static final int ARGUMENTS_MAX = 1_000;

  /** What an event keeps of its environment, as with the launcher. */
  private static final List<String> VARIABLES =
      List.of(
          "USER",
          "LOGNAME",
          "HOME",
          "XDG_STATE_HOME",
          "XDG_CONFIG_HOME",
          "MAINSTAY_TERMINAL",
          "MAINSTAY_DB",
          "MAINSTAY_TRUST_FOLDERS",
          "MAINSTAY_KEY_LIFE",
          "MAINSTAY_PATIENCE",
          "MAINSTAY_HOOKS_STOP",
          "CLAUDECODE",
          "CLAUDE_CODE_ENTRYPOINT",
          "CLAUDE_PROJECT_DIR",
          "CLAUDE_CODE_SESSION_ID",
          "CLAUDE_PID",
          "CODEX_SANDBOX",
          "CODEX_THREAD_ID",
          "GEMINI_CLI",
          "GEMINI_SESSION_ID",
          "GEMINI_PROJECT_DIR",
          "OPENCODE",
          "QWEN_CODE",
          "CURSOR_AGENT",
          Told.STARTER);

  /**
   * Where and by whom the command was called.
   *
   * @param jar the program that the launcher would have started
   * @param attended whether the caller has a terminal, at which a person may sit
   */
  record Caller(String jar, Path folder, boolean attended, Map<String, String> env) {
    Caller {
      env = Map.copyOf(env);
    }
  }

  private final Caller caller;
  private final List<String> args;
  private final byte[] input;

  private Request(Caller caller, List<String> args, byte[] input) {
    this.caller = caller;
    this.args = List.copyOf(args);
    this.input = input;
  }

  /** The same, known by the name under which it was put down. */
  Request named(String name) {
    Map<String, String> env = new HashMap<>(caller.env());
    env.put(Told.RECEIPT, name);
    var known = new Caller(caller.jar(), caller.folder(), caller.attended(), env);
    return new Request(known, args, input);
  }

  Caller caller() {
    return caller;
  }

  /** An event as the launcher would put it down, with those variables that it keeps. */
  static byte[] ofHook(Caller caller, List<String> args, byte[] input) {
    var out = new ByteArrayOutputStream();
    List<String> fields = new ArrayList<>(List.of(AGREEMENT, caller.jar()));
    fields.add(caller.folder().toString());
    fields.add(caller.attended() ? "attended" : "no");
    fields.add(Integer.toString(args.size()));
    fields.addAll(args);
    for (String name : VARIABLES) {
      String value = caller.env().getOrDefault(name, "");
      if (!value.isEmpty()) fields.add(name + "=" + value);
    }
    fields.add("");
    for (String field : fields) {
      out.writeBytes(field.getBytes(StandardCharsets.UTF_8));
      out.write(0);
    }
    out.writeBytes(input);
    out.writeBytes(END);
    return out.toByteArray();
  }

  List<String> args() {
    return args;
  }

  InputStream input() {
    return new ByteArrayInputStream(input);
  }

  boolean isHook() {
    return !args.isEmpty() && args.get(0).equals("hook");
  }

  /** Whether it is an event that could as well be heard later. */
  boolean onlyTells() {
    return isHook() && args.size() > 1 && TELLING.contains(args.get(1));
  }

  /** The folder by which the project is found. */
  Path place() {
    return place(args.isEmpty() ? "" : args.get(0), caller.env(), caller.folder());
  }

  /** A hook runs wherever its agent went; some hosts say where the agent was started. */
  static Path place(String command, Map<String, String> env, Path folder) {
    if (!command.equals("hook")) return folder;
    for (String variable : PROJECT_VARIABLES) {
      String named = env.getOrDefault(variable, "");
      if (named.startsWith("/") && named.indexOf('\0') < 0) return Path.of(named);
    }
    return folder;
  }

  /** Whether nobody writes on at the file any more, as far as its end tells. */
  static boolean isWhole(Path file) {
    try (SeekableByteChannel channel =
        Files.newByteChannel(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      long from = channel.size() - END.length;
      if (from < 0) return false;
      ByteBuffer end = ByteBuffer.allocate(END.length);
      channel.position(from);
      while (end.hasRemaining() && channel.read(end) >= 0) {}
      return Arrays.equals(end.array(), END);
    } catch (IOException gone) {
      return false;
    }
  }

  /** Reads what the launcher wrote: fields that each end with a NUL; none if it is not whole. */
  static Optional<Request> parse(byte[] bytes) {
    int end = bytes.length - END.length;
    if (end < 0 || !Arrays.equals(bytes, end, bytes.length, END, 0, END.length)) {
      return Optional.empty();
    }
    try {
      return Optional.of(new Fields(bytes, end).request());
    } catch (IllegalArgumentException notOurs) {
      return Optional.empty();
    }
  }

  /** Takes one field after the other. */
  private static final class Fields {
    private final byte[] bytes;
    private final int end;
    private int at;

    Fields(byte[] bytes, int end) {
      this.bytes = bytes;
      this.end = end;
    }

    Request request() {
      if (!next().equals(AGREEMENT)) throw new IllegalArgumentException("another agreement");
      String jar = next();
      Path folder = folder(next());
      boolean attended = next().equals("attended");
      List<String> args = args(Integer.parseInt(next()));
      Map<String, String> env = new HashMap<>();
      for (String field = next(); !field.isEmpty(); field = next()) {
        int equals = field.indexOf('=');
        if (equals < 1) throw new IllegalArgumentException("not a variable");
        // What is set to nothing counts as not set everywhere.
        if (equals + 1 < field.length()) {
          env.put(field.substring(0, equals), field.substring(equals + 1));
        }
      }
      byte[] input = Arrays.copyOfRange(bytes, at, end);
      return new Request(new Caller(jar, folder, attended, env), args, input);
    }

    private List<String> args(int count) {
      if (count < 0 || count > ARGUMENTS_MAX) throw new IllegalArgumentException("too many");
      List<String> args = new ArrayList<>(count);
      for (int i = 0; i < count; i++) args.add(next());
      return args;
    }

    private static Path folder(String text) {
      try {
        Path folder = Path.of(text);
        if (folder.isAbsolute()) return folder;
      } catch (InvalidPathException unusable) {
        // The same as one that is not absolute: it cannot be gone to.
      }
      throw new IllegalArgumentException("not a folder");
    }

    private String next() {
      int from = at;
      while (at < end && bytes[at] != 0) at++;
      if (at == end) throw new IllegalArgumentException("a field is missing");
      return new String(bytes, from, at++ - from, StandardCharsets.UTF_8);
    }
  }
}
