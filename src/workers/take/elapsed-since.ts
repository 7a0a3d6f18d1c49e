/**
 * Milliseconds since a moment that another thread of this browser named as
 * `performance.timeOrigin + performance.now()`.
 */
export const elapsedSince = (atMs: number): number => performance.timeOrigin + performance.now() - atMs;
