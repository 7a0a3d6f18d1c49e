import { second } from '#base/duration.ts';
import type { PlaybackSnapshot } from '#playback/playback-state.ts';
import type { StoredPosition } from './playback-positions.ts';

/** The part of the player that the saver needs. */
interface PlayerState {
  subscribe(listener: () => void): () => void;
  getSnapshot(): Pick<PlaybackSnapshot, 'track' | 'status' | 'positionMs' | 'durationMs'>;
}

export interface PositionSaverDeps {
  player: PlayerState;
  nowMs(): number;
  save(track: { id: string; url: string }, position: StoredPosition): void;
}

const saveIntervalMs = 15 * second;
const endToleranceMs = 3 * second;

/**
 * Saves the playback position when playback pauses, ends or changes to another recording, and every 15 seconds
 * while it runs.
 */
export class PositionSaver {
  readonly #deps: PositionSaverDeps;
  #last: ReturnType<PlayerState['getSnapshot']>;
  #savedAtMs = 0;
  /**
   * Whether audio has played since the last save. Saving an idle position could overwrite a newer one from another
   * device.
   */
  #isPlayed = false;

  constructor(deps: PositionSaverDeps) {
    this.#deps = deps;
    this.#last = deps.player.getSnapshot();
    deps.player.subscribe(() => this.#handleChange());
  }

  /** Saves the current position because the page is about to close. */
  leave(): void {
    this.#save(this.#last);
  }

  #handleChange(): void {
    const [before, now] = [this.#last, this.#deps.player.getSnapshot()];
    this.#last = now;
    if (before.track && before.track.id !== now.track?.id) {
      this.#save(before);
      this.#isPlayed = false;
    }
    if (now.status === 'playing') this.#handleProgress(now);
    else if (before.status === 'playing' && before.track?.id === now.track?.id) this.#save(now);
  }

  #handleProgress(now: ReturnType<PlayerState['getSnapshot']>): void {
    const nowMs = this.#deps.nowMs();
    if (!this.#isPlayed) this.#savedAtMs = nowMs;
    this.#isPlayed = true;
    if (nowMs - this.#savedAtMs >= saveIntervalMs) this.#save(now);
  }

  #save({ track, positionMs, durationMs, status }: ReturnType<PlayerState['getSnapshot']>): void {
    if (!track || !this.#isPlayed) return;
    const playedAtMs = this.#deps.nowMs();
    this.#savedAtMs = playedAtMs;
    this.#isPlayed = status === 'playing';
    if (track.growing) return;
    const isOver = status === 'ended' || positionMs > durationMs - endToleranceMs;
    this.#deps.save(track, { positionMs: isOver ? 0 : Math.round(positionMs), playedAtMs });
  }
}
