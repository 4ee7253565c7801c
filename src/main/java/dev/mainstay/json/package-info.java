/**
 * JSON text in and out, and YAML in, within limits. Touches the domain, Jackson's streaming core
 * and its YAML reader.
 */
@NullMarked
package dev.mainstay.json;

import org.jspecify.annotations.NullMarked;
