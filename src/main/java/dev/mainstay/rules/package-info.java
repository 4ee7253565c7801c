/**
 * Conditions and expressions: CEL over given figures or variables, compiled once, bounded. Pure;
 * may touch {@code domain} and CEL.
 */
@NullMarked
package dev.mainstay.rules;

import org.jspecify.annotations.NullMarked;
