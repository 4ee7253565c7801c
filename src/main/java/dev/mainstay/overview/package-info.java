/**
 * What a person looks at: who does what now, the graph of tasks, charts. Touches the domain, JSON
 * and the store.
 */
@NullMarked
package dev.mainstay.overview;

import org.jspecify.annotations.NullMarked;
