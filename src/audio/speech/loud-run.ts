/** Sound below −40 dB is not worth a mention. */
const loudAmplitude = 0.01;
/** Shorter pauses belong to a run: 300 ms. */
const joinedPoints = 30;
/** Shorter runs are not reported: two seconds. */
const minPoints = 200;

/** A run of loud points, or how many points at the start are known to contain none. */
export type FoundRun = { run: readonly [number, number] } | { run: null; quietUntil: number };

/** Follows loud points. */
class LoudRun {
  first = -1;
  last = -1;

  get isLong(): boolean {
    return this.first >= 0 && this.last + 1 - this.first >= minPoints;
  }

  /** Whether a pause separates a point from the run. */
  isBefore(point: number): boolean {
    return this.first >= 0 && point - this.last > joinedPoints;
  }

  add(point: number): void {
    if (this.first < 0 || this.isBefore(point)) this.first = point;
    this.last = point;
  }
}

/**
 * Finds the first run of at least two seconds of loud points, ended by a pause, by the end of the levels, or after
 * `maxPoints`.
 * @param options.isEnded whether no more levels follow
 */
export function firstLoudRun(
  levels: Float32Array,
  { isEnded, maxPoints }: { isEnded: boolean; maxPoints: number },
): FoundRun {
  const run = new LoudRun();
  for (const [point, level] of levels.entries()) {
    if (run.first >= 0 && point - run.first >= maxPoints) return { run: [run.first, point] };
    if (level < loudAmplitude) continue;
    if (run.isLong && run.isBefore(point)) return { run: [run.first, run.last + 1] };
    run.add(point);
  }
  const isClosed = isEnded || run.first < 0 || run.isBefore(levels.length);
  if (isClosed && run.isLong) return { run: [run.first, run.last + 1] };
  return { run: null, quietUntil: isClosed ? levels.length : run.first };
}
