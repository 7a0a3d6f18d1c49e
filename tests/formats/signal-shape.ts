/**
 * The signal tells where in it one is: its tone rises evenly for ten seconds and begins again, and every
 * second of them has a loudness of its own (0–1).
 */
export const signal = {
  periodSeconds: 10,
  firstHz: 400,
  hzPerSecond: 200,
  loudness: [0.8, 0.4, 0.6, 0.2, 0.8, 0.3, 0.6, 0.4, 0.8, 0.5],
} as const;
