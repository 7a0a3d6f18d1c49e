/**
 * When a value that a cache has just read for the first time counts as read: at most `trustedMs` ago. Values that were
 * read at the same moment, such as those of all takes after a restart, are then not read again at the same moment.
 * @param options.nowMs the time of the read, in milliseconds on any clock
 * @param options.trustedMs how long the cache uses a value
 */
export const spreadReadAtMs = ({ nowMs, trustedMs }: { nowMs: number; trustedMs: number }): number =>
  nowMs - Math.random() * trustedMs;
