import { second } from '#base/duration.ts';

/**
 * A marker is usually named, and a note written, within this time. Both are then sent; what changes later is
 * sent by the page, with the session of its user.
 */
export const settledAfterMs = 30 * second;
