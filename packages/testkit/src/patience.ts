/**
 * How long a test waits for a condition before it fails, ms. A test proves what happens, not how fast: only one that
 * would fail anyway waits this long, and a machine that others use too is slow at times.
 */
export const patienceMs = 120_000
