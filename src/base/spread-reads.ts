/**
 * When a value that a cache has just read counts as read: now, but for the first time at most `trustedMs` ago. Values that
 * were first read at the same moment, such as those of all takes after a restart, are then not read again at the same
 * moment.
 * @param options.isFirst whether the cache did not have the value
 * @param options.nowMs the time of the read, in milliseconds on any clock
 * @param options.trustedMs how long the cache uses a value
 */
export const spreadReadAtMs = ({
  isFirst,
  nowMs,
  trustedMs,
}: {
  isFirst: boolean;
  nowMs: number;
  trustedMs: number;
}): number => (isFirst ? nowMs - Math.random() * trustedMs : nowMs);
