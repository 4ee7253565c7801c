package dev.mainstay.bpmn;

import dev.mainstay.domain.JsonObject;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Where the nodes and edges of a process lie on paper. What has no place is not drawn. */
public record Drawing(Map<String, Shape> shapes, Map<String, List<Point>> lines) {
  public static final Drawing NONE = new Drawing(Map.of(), Map.of());

  public Drawing {
    shapes = Collections.unmodifiableMap(new LinkedHashMap<>(shapes));
    lines = Collections.unmodifiableMap(new LinkedHashMap<>(lines));
  }

  public record Point(double x, double y) {
    public JsonObject toJson() {
      return JsonObject.of("x", x, "y", y);
    }

    public static Point fromJson(JsonObject json) {
      return new Point(decimal(json, "x"), decimal(json, "y"));
    }
  }

  public record Shape(double x, double y, double width, double height, boolean expanded) {
    public JsonObject toJson() {
      return JsonObject.of("x", x, "y", y, "width", width, "height", height)
          .with("expanded", expanded ? true : null);
    }

    public static Shape fromJson(JsonObject json) {
      return new Shape(
          decimal(json, "x"),
          decimal(json, "y"),
          decimal(json, "width"),
          decimal(json, "height"),
          Boolean.TRUE.equals(json.get("expanded")));
    }
  }

  static List<JsonObject> write(Collection<Point> points) {
    return points.stream().map(Point::toJson).toList();
  }

  private static double decimal(JsonObject json, String key) {
    Object value = json.get(key);
    if (value instanceof BigDecimal number) return number.doubleValue();
    return json.number(key);
  }
}
