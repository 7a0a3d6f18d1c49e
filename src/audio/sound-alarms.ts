import type { Level } from './level-meter.ts';
import { audibleAmplitude } from './sound-levels.ts';

const silentAfterMs = 10_000;
/** Sound arrives in blocks, late ones on a busy machine. After this, nothing measures it. */
const maxBlockWaitMs = 1000;
const clippingWindowMs = 10_000;
/** How many of the last ten seconds must have been clipped. */
const clippedSeconds = 3;

/** The active alarms. */
export interface Alarms {
  silence: boolean;
  clipping: boolean;
}

/**
 * Detects whether the sound is unusable: silent for ten seconds, or often too loud. Times are milliseconds of any
 * one clock.
 */
export class SoundAlarms {
  #lastAudibleMs: number | null = null;
  #lastMeasuredMs: number | null = null;
  /** The seconds that were clipped. */
  #clipped = new Set<number>();

  /**
   * Adds the level since the last call; null if nothing measured it, which is not silence. Returns the active alarms.
   */
  push(level: Pick<Level, 'peak' | 'clipped'> | null, nowMs: number): Alarms {
    const isUnmeasured = this.#lastMeasuredMs === null || nowMs - this.#lastMeasuredMs > maxBlockWaitMs;
    if (level === null && !isUnmeasured) return this.#alarmsAt(nowMs);
    if (isUnmeasured) this.#lastAudibleMs = null;
    if (level === null) return this.#alarmsAt(nowMs);
    const { peak, clipped } = level;
    this.#lastMeasuredMs = nowMs;
    this.#lastAudibleMs = peak > audibleAmplitude ? nowMs : (this.#lastAudibleMs ?? nowMs);
    if (clipped) this.#clipped.add(Math.floor(nowMs / 1000));
    return this.#alarmsAt(nowMs);
  }

  #alarmsAt(nowMs: number): Alarms {
    for (const second of this.#clipped)
      if (second * 1000 <= nowMs - clippingWindowMs) this.#clipped.delete(second);
    return {
      silence: this.#lastAudibleMs !== null && nowMs - this.#lastAudibleMs >= silentAfterMs,
      clipping: this.#clipped.size >= clippedSeconds,
    };
  }

  /** Restarts the wait for silence, because recording is paused or interrupted. */
  rest(): void {
    this.#lastAudibleMs = null;
    this.#clipped.clear();
  }
}
