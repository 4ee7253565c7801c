package dev.mainstay;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The program in the launcher tests' jar: prints its arguments, one a line, between brackets, or
 * what is in a file.
 */
public final class LauncherEcho {
  private LauncherEcho() {}

  public static void main(String[] arguments) throws IOException {
    if (arguments.length == 2 && arguments[0].equals("read")) {
      System.out.println(Files.readString(Path.of(arguments[1])));
      return;
    }
    var out = new StringBuilder();
    for (String argument : arguments) {
      out.append('[').append(argument).append("]\n");
    }
    byte[] bytes = out.toString().getBytes(StandardCharsets.UTF_8);
    System.out.write(bytes, 0, bytes.length);
    System.out.flush();
    if (arguments.length == 2 && arguments[0].equals("exit")) {
      System.exit(Integer.parseInt(arguments[1]));
    }
  }
}
