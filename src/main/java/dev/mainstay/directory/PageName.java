package dev.mainstay.directory;

import dev.mainstay.domain.StateDirectory;
import java.util.List;

/** The five files of a state directory, each with the keys that are its own. */
public enum PageName {
  PLAN(StateDirectory.PLAN, List.of("meta/", "steps", "step/")),
  CONTEXT(StateDirectory.CONTEXT, List.of("passages", "passage/")),
  VARIABLES(StateDirectory.VARIABLES, List.of("var/")),
  HISTORY(StateDirectory.HISTORY, List.of("entries", "entry/", "training/")),
  CONSTRAINTS(
      StateDirectory.CONSTRAINTS,
      List.of(
          "setting/",
          "directives",
          "directive/",
          "rules",
          "rule/",
          "behaviours",
          "behaviour/",
          "proposals"));

  private final String file;
  private final List<String> keys;

  PageName(String file, List<String> keys) {
    this.file = file;
    this.keys = keys;
  }

  public String file() {
    return file;
  }

  /** The file in which an item of this key, or what is below it, stands. */
  public static PageName of(String key) {
    for (PageName page : values()) {
      if (page.owns(key) || page.owns(key + "/")) return page;
    }
    throw new IllegalArgumentException("no file has " + key);
  }

  /** Whether an item of this key stands in this file. */
  public boolean owns(String key) {
    for (String each : keys) {
      if (each.endsWith("/") ? key.startsWith(each) : key.equals(each)) return true;
    }
    return false;
  }
}
