/**
 * Conditions: CEL over given figures, compiled once, bounded. Pure; may touch {@code domain} and
 * CEL.
 */
@NullMarked
package dev.mainstay.rules;

import org.jspecify.annotations.NullMarked;
