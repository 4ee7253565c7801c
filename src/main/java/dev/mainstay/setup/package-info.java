/**
 * The configuration files of agents: what Mainstay writes into them, beside what is there, and
 * takes out again. Touches the domain, json and workspace's safe file access.
 */
@NullMarked
package dev.mainstay.setup;

import org.jspecify.annotations.NullMarked;
