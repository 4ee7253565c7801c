package dev.mainstay.workflow;

import dev.mainstay.domain.JsonObject;
import java.nio.file.Path;

/**
 * A workflow that somebody wants started.
 *
 * @param workflow the id of a version, a name, or {@code name@version}
 * @param session in which its agents work
 */
public record NewExecution(
    String workflow, String session, String host, Path folder, JsonObject variables) {}
