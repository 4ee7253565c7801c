package dev.mainstay.dashboard;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The files of the page, for everybody who may reach the server: they hold nothing that is not
 * public. A browser keeps them, and asks each time whether they are still the same.
 */
public final class PageDoor extends HttpServlet {
  private static final long serialVersionUID = 1L;

  /** The page itself, and all it is made of. */
  public static final List<String> PATHS = List.of("", "/page/*");

  static final String MISSING =
      "Mainstay is running without its page, because it was built without npm; install Node.js 20 or"
          + " newer and build again, or use <code>mainstay task list</code> and /openapi.json.";

  static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none';"
          + " form-action 'none'; frame-ancestors 'none'";

  private static final String PREFIX = "/page/";
  private static final PageFile NO_PAGE = PageFile.saying(MISSING);

  private final transient PageFiles files;

  public PageDoor(PageFiles files) {
    this.files = files;
  }

  /** Unlike its parent's, it has no answer to what it does not know: OPTIONS and TRACE. */
  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    boolean head = request.getMethod().equals("HEAD");
    if (!head && !request.getMethod().equals("GET")) {
      response.setHeader("Allow", "GET, HEAD");
      say(response, 405, "the page is read with GET\n");
      return;
    }
    Optional<PageFile> found = find(request.getRequestURI());
    if (found.isEmpty()) {
      say(response, 404, "the page has no such file\n");
      return;
    }
    answer(found.get(), request, response, !head);
  }

  /** By the address as it was sent: what is encoded in it is no name of a file. */
  private Optional<PageFile> find(String address) {
    if (address.equals("/")) return Optional.of(files.find(PageFiles.INDEX).orElse(NO_PAGE));
    return address.startsWith(PREFIX)
        ? files.find(address.substring(PREFIX.length()))
        : Optional.empty();
  }

  private static void answer(
      PageFile file, HttpServletRequest request, HttpServletResponse response, boolean whole)
      throws IOException {
    boolean small = file.canZip() && takesZipped(request.getHeader("Accept-Encoding"));
    response.setHeader("Content-Security-Policy", POLICY);
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    response.setHeader("Cache-Control", "no-cache");
    response.setHeader("ETag", file.tag(small));
    if (file.canZip()) response.setHeader("Vary", "Accept-Encoding");
    if (isKnown(request.getHeader("If-None-Match"), file.tag(small))) {
      response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
      return;
    }
    byte[] content = file.content(small);
    response.setContentType(file.type());
    if (small) response.setHeader("Content-Encoding", "gzip");
    response.setContentLength(content.length);
    if (whole) response.getOutputStream().write(content);
  }

  private static boolean takesZipped(@Nullable String accepted) {
    if (accepted == null) return false;
    return Arrays.stream(accepted.toLowerCase(Locale.ROOT).split(","))
        .map(String::strip)
        .anyMatch(each -> each.matches("gzip(\\s*;\\s*q=(1|0?\\.\\d*[1-9]).*)?"));
  }

  private static boolean isKnown(@Nullable String tags, String tag) {
    if (tags == null) return false;
    return tags.strip().equals("*")
        || Arrays.stream(tags.split(","))
            .map(each -> each.strip().replaceFirst("^W/", ""))
            .anyMatch(tag::equals);
  }

  private static void say(HttpServletResponse response, int status, String sentence)
      throws IOException {
    response.setStatus(status);
    response.setContentType("text/plain; charset=utf-8");
    response.getOutputStream().print(sentence);
  }
}
