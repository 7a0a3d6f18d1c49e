import type { Level } from './level-meter.ts';
import { audibleAmplitude } from './sound-levels.ts';

const silentAfterMs = 10_000;
const clippingWindowMs = 10_000;
/** So many of the last ten seconds must have been clipped. */
const clippedSeconds = 3;

/** Which alarms stand. */
export interface Alarms {
  silence: boolean;
  clipping: boolean;
}

/**
 * Says whether what comes in is worth keeping: nothing is heard for ten seconds, or much of it is too loud.
 * Milliseconds by any one clock.
 */
export class SoundAlarms {
  #lastHeardMs: number | null = null;
  /** Which seconds were clipped. */
  #clipped = new Set<number>();

  /**
   * Takes what was measured since the last call, also when nothing came; answers with the alarms that stand
   * now.
   */
  push({ peak, clipped }: Pick<Level, 'peak' | 'clipped'>, nowMs: number): Alarms {
    this.#lastHeardMs = peak > audibleAmplitude ? nowMs : (this.#lastHeardMs ?? nowMs);
    if (clipped) this.#clipped.add(Math.floor(nowMs / 1000));
    for (const second of this.#clipped)
      if (second * 1000 <= nowMs - clippingWindowMs) this.#clipped.delete(second);
    return {
      silence: nowMs - this.#lastHeardMs >= silentAfterMs,
      clipping: this.#clipped.size >= clippedSeconds,
    };
  }

  /** Nothing is listened to for now: silence begins again. */
  rest(): void {
    this.#lastHeardMs = null;
    this.#clipped.clear();
  }
}
