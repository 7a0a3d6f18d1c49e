/**
 * A signal that tells the position in it: its tone rises evenly for ten seconds and starts again, and each of
 * these seconds has its own loudness (0–1).
 */
export const signal = {
  periodSeconds: 10,
  firstHz: 400,
  hzPerSecond: 200,
  loudness: [0.8, 0.4, 0.6, 0.2, 0.8, 0.3, 0.6, 0.4, 0.8, 0.5],
} as const;
