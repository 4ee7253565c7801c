package dev.mainstay.rest;

import io.javalin.http.Context;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.propagation.TextMapGetter;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is told about requests: figures, a line of log, and a span where tracing is configured. A
 * path's template and not its query is told, so no secret gets in.
 */
final class Telemetry {
  private static final Logger LOG = LoggerFactory.getLogger("dev.mainstay.requests");
  private static final String NO_ROUTE = "none";
  private static final Set<String> MOUNTED_METHODS = Set.of("GET", "POST", "DELETE");

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final OpenTelemetry tracing;
  private final Tracer tracer;

  Telemetry(OpenTelemetry tracing, Supplier<Number> readers) {
    this.tracing = tracing;
    this.tracer = tracing.getTracer("dev.mainstay");
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ClassLoaderMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    Gauge.builder("mainstay.events.readers", readers)
        .description("Those who listen to the event stream")
        .register(registry);
  }

  String scrape() {
    return registry.scrape();
  }

  private static final TextMapGetter<HttpServletRequest> HEADERS =
      new TextMapGetter<>() {
        @Override
        @SuppressWarnings("deprecation") // it is abstract still
        public Iterable<String> keys(HttpServletRequest http) {
          return Collections.list(http.getHeaderNames());
        }

        @Override
        public @Nullable String get(@Nullable HttpServletRequest http, String name) {
          return http == null ? null : http.getHeader(name);
        }
      };

  /** One request that is being answered. */
  final class Watch {
    private final HttpServletRequest http;
    private final String route;
    private final String method;
    private final long since = System.nanoTime();
    private final Span span;

    private Watch(HttpServletRequest http, String route, String method) {
      this.http = http;
      this.route = route;
      this.method = method;
      this.span =
          tracer
              .spanBuilder(http.getMethod() + " " + this.route)
              .setSpanKind(SpanKind.SERVER)
              .setParent(
                  tracing
                      .getPropagators()
                      .getTextMapPropagator()
                      .extract(io.opentelemetry.context.Context.root(), http, HEADERS))
              .setAttribute("http.request.method", http.getMethod())
              .setAttribute("http.route", this.route)
              .startSpan();
    }

    void end(int status, @Nullable String caller, @Nullable Throwable bug) {
      Duration took = Duration.ofNanos(System.nanoTime() - since);
      Timer.builder("mainstay.http.requests")
          .description("Requests by route and status")
          .tag("method", method)
          .tag("route", route)
          .tag("status", Integer.toString(status))
          .register(registry)
          .record(took);
      span.setAttribute("http.response.status_code", status);
      if (status >= 500) span.setStatus(StatusCode.ERROR);
      span.end();
      var line = bug == null ? LOG.atInfo() : LOG.atError().setCause(bug);
      line.addKeyValue("method", http.getMethod())
          .addKeyValue("route", route)
          .addKeyValue("path", http.getRequestURI())
          .addKeyValue("status", status)
          .addKeyValue("micros", took.toNanos() / 1_000)
          .addKeyValue("caller", caller == null ? "" : caller)
          .log("request");
    }
  }

  /** An unknown method could be any text, so only those with a route are figures. */
  Watch watch(Context http, @Nullable Route route) {
    return route == null
        ? new Watch(http.req(), NO_ROUTE, "")
        : new Watch(http.req(), route.target().path(), http.req().getMethod());
  }

  /** The same for a mounted door, whose path is its route. */
  Watch watch(HttpServletRequest http, Mounted door) {
    boolean known = MOUNTED_METHODS.contains(http.getMethod());
    return new Watch(http, door.path(), known ? http.getMethod() : "");
  }
}
