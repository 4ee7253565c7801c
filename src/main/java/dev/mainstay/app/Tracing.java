package dev.mainstay.app;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.util.concurrent.TimeUnit;

/** Where spans go: to the configured place, or nowhere. */
final class Tracing {
  private static final int FLUSH_SECONDS_MAX = 1;

  private Tracing() {}

  static OpenTelemetry to(String endpoint) {
    if (endpoint.isEmpty()) return OpenTelemetry.noop();
    try {
      var exporter = OtlpHttpSpanExporter.builder().setEndpoint(endpoint).build();
      var service = Attributes.builder().put("service.name", "mainstay").build();
      var spans =
          SdkTracerProvider.builder()
              .setResource(Resource.getDefault().merge(Resource.create(service)))
              .addSpanProcessor(BatchSpanProcessor.builder(exporter).build())
              .build();
      return OpenTelemetrySdk.builder()
          .setTracerProvider(spans)
          .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
          .build();
    } catch (IllegalArgumentException malformed) {
      throw Refusal.invalid(
          Phrase.of(
              "otel.endpoint must be an address such as http://127.0.0.1:4318/v1/traces, not \"%s\"",
              endpoint));
    }
  }

  /** Sends what is left, for a moment. */
  static void close(OpenTelemetry tracing) {
    if (tracing instanceof OpenTelemetrySdk sdk)
      sdk.shutdown().join(FLUSH_SECONDS_MAX, TimeUnit.SECONDS);
  }
}
