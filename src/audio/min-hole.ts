/**
 * A packet that begins later than this after the end of the one before it begins after a hole, in every container.
 * Shorter differences are rounding and jitter.
 */
export const minHoleMs = 50;
