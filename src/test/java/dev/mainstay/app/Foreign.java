package dev.mainstay.app;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Gives files to another user, which only root can. */
final class Foreign {
  private static final int NOBODY = 65534;

  private Foreign() {}

  static void give(Path file) throws IOException {
    boolean isRoot = "root".equals(System.getProperty("user.name"));
    assumeThat(isRoot).as("the test runs as root").isTrue();
    Files.setAttribute(file, "unix:uid", NOBODY, LinkOption.NOFOLLOW_LINKS);
  }
}
