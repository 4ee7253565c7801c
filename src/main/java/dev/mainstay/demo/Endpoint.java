package dev.mainstay.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The endpoints of the story, each with the code that is a developer's answer to it. */
enum Endpoint {
  LIST(
      "GET /users",
      "list-users.js",
      """
        return { status: 200, body: [...users.values()] };
      """),
  CREATE(
      "POST /users",
      "create-user.js",
      """
        const user = { ...request.body, id: String(users.size + 1) };
        users.set(user.id, user);
        return { status: 201, body: user };
      """),
  REPLACE(
      "PUT /users/:id",
      "replace-user.js",
      """
        const id = request.params.id;
        if (!users.has(id)) return { status: 404 };
        users.set(id, { ...request.body, id });
        return { status: 200, body: users.get(id) };
      """),
  DELETE(
      "DELETE /users/:id",
      "delete-user.js",
      """
        return { status: users.delete(request.params.id) ? 204 : 404 };
      """),
  SHOW(
      "GET /users/:id",
      "show-user.js",
      """
        const user = users.get(request.params.id);
        return user ? { status: 200, body: user } : { status: 404 };
      """);

  static final String FOLDER = "api";
  private static final String TITLE = "Implement ";

  private final String route;
  private final String file;
  private final String body;

  Endpoint(String route, String file, String body) {
    this.route = route;
    this.file = file;
    this.body = body;
  }

  static Optional<Endpoint> ofTitle(String title) {
    return Stream.of(values()).filter(each -> each.title().equals(title)).findFirst();
  }

  String title() {
    return TITLE + route;
  }

  /** A task's title without what all of them begin with. */
  static String inShort(String title) {
    return title.startsWith(TITLE) ? title.substring(TITLE.length()) : title;
  }

  /** Below the folder of the story. */
  String path() {
    return FOLDER + "/" + file;
  }

  private String routeLine() {
    String[] parts = route.split(" ");
    return "export const route = { method: \"" + parts[0] + "\", path: \"" + parts[1] + "\" };";
  }

  String code() {
    return "// "
        + route
        + "\n"
        + routeLine()
        + "\n\nexport function handle(request, users) {\n"
        + body
        + "}\n";
  }

  /** What a reviewer has to say against some code; nothing if it is as it should be. */
  List<String> faultsOf(String code) {
    List<String> faults = new ArrayList<>();
    if (!code.contains(routeLine())) faults.add("it does not serve " + route);
    if (!code.contains("export function handle(request, users) {")) faults.add("it has no handler");
    if (!code.contains("return ")) faults.add("its handler answers nothing");
    if (!isBalanced(code)) faults.add("a bracket is missing");
    return faults;
  }

  private static boolean isBalanced(String code) {
    StringBuilder open = new StringBuilder();
    for (char c : code.toCharArray()) {
      if ("({[".indexOf(c) >= 0) open.append(c);
      int closing = ")}]".indexOf(c);
      if (closing < 0) continue;
      int last = open.length() - 1;
      if (last < 0 || open.charAt(last) != "({[".charAt(closing)) return false;
      open.setLength(last);
    }
    return open.isEmpty();
  }
}
