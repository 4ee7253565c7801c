/**
 * Messages in, fewer messages out: partitions, pressure, compression, renewal, snapshot prompts.
 * Pure: touches domain and render.
 */
@NullMarked
package dev.mainstay.context;

import org.jspecify.annotations.NullMarked;
