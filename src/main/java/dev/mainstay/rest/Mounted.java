package dev.mainstay.rest;

import jakarta.servlet.http.HttpServlet;

/**
 * A door that somebody else answers at, behind the same doorkeeper. Whoever comes through one that
 * is not open has a token, and is an attribute of the request under {@link #CALLER}; an open one
 * lets in everybody who calls the server by its name and not from another page.
 */
public record Mounted(String path, boolean open, HttpServlet servlet, Runnable closing) {
  /** The name of the attribute that holds the {@code access.Caller}. */
  public static final String CALLER = "dev.mainstay.access.Caller";

  public static Mounted forCallers(String path, HttpServlet servlet, Runnable closing) {
    return new Mounted(path, false, servlet, closing);
  }

  /** For what anybody may know, such as the files that a page is made of. */
  public static Mounted forEverybody(String path, HttpServlet servlet) {
    return new Mounted(path, true, servlet, () -> {});
  }
}
