/**
 * BPMN's XML in and out, process and drawing, hardened against hostile files. May touch {@code
 * domain}, {@code bpmn} and the BPMN model library.
 */
@NullMarked
package dev.mainstay.diagram;

import org.jspecify.annotations.NullMarked;
