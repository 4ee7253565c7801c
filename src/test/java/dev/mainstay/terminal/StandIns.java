package dev.mainstay.terminal;

import dev.mainstay.demo.StandIn;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How tests start the scripted agent: by an argument list, or as a provider of a project. */
public final class StandIns {
  public static final String PROVIDER = "stand-in";

  private StandIns() {}

  /** The stand-in of this build with these arguments. */
  public static List<String> argv(String... arguments) {
    List<String> argv = new ArrayList<>();
    argv.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    argv.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
    argv.addAll(List.of("-cp", classes().toString(), StandIn.class.getName()));
    argv.addAll(List.of(arguments));
    return argv;
  }

  private static Path classes() {
    try {
      return Path.of(StandIn.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * The text of {@code .mainstay/providers/stand-in.yaml}: a stand-in with these arguments that is
   * judged by the signs of {@code claude-code}.
   */
  public static String providerYaml(List<String> arguments) {
    return """
        name: stand-in
        description: A scripted agent with the habits of Claude Code
        command: %s
        arguments:
          resume: {environment: {AGENT_RESUME: "{value}"}}
          conversation: {environment: {AGENT_CONVERSATION: "{value}"}}
          initial_prompt: {typed: true}
        %sexit: /exit
        settle: 300ms
        """
        // What JSON writes is YAML as well.
        .formatted(JsonText.write(argv(arguments.toArray(String[]::new))), screenOfClaude());
  }

  private static String screenOfClaude() {
    try (InputStream in = Providers.class.getResourceAsStream("providers/claude-code.yaml")) {
      String yaml = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return yaml.substring(yaml.indexOf("screen:\n"), yaml.indexOf("exit: "));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
