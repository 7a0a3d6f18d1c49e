import { second } from '#base/duration.ts';
import type { PlaybackSnapshot } from '#web/features/player/engine/playback-state.ts';
import type { KeptPosition } from './playback-positions.ts';

/** What a position is kept for: the player, seen from here. */
interface Heard {
  subscribe(listener: () => void): () => void;
  getSnapshot(): Pick<PlaybackSnapshot, 'track' | 'status' | 'positionMs' | 'durationMs'>;
}

export interface KeeperDeps {
  player: Heard;
  nowMs(): number;
  /** @param isLast whether the page is about to go */
  keep(track: { id: string; url: string }, position: KeptPosition, isLast: boolean): void;
}

const everyMs = 15 * second;
const overWithinMs = 3 * second;

/**
 * Keeps where the sound was left: when it pauses, ends, gives way to another recording, and every quarter of
 * a minute while it runs.
 */
export class PositionKeeper {
  readonly #deps: KeeperDeps;
  #last: ReturnType<Heard['getSnapshot']>;
  #keptAtMs = 0;
  /**
   * Heard since it was last kept: a place where the sound only stands would overtake what was heard elsewhere
   * meanwhile.
   */
  #isHeard = false;

  constructor(deps: KeeperDeps) {
    this.#deps = deps;
    this.#last = deps.player.getSnapshot();
    deps.player.subscribe(() => this.#look());
  }

  /** Keeps what has not been kept yet: the page goes. */
  leave(): void {
    this.#keep(this.#last, true);
  }

  #look(): void {
    const [before, now] = [this.#last, this.#deps.player.getSnapshot()];
    this.#last = now;
    if (before.track && before.track.id !== now.track?.id) {
      this.#keep(before);
      this.#isHeard = false;
    }
    if (now.status === 'playing') this.#handleProgress(now);
    else if (before.status === 'playing' && before.track?.id === now.track?.id) this.#keep(now);
  }

  #handleProgress(now: ReturnType<Heard['getSnapshot']>): void {
    const nowMs = this.#deps.nowMs();
    if (!this.#isHeard) this.#keptAtMs = nowMs;
    this.#isHeard = true;
    if (nowMs - this.#keptAtMs >= everyMs) this.#keep(now);
  }

  #keep({ track, positionMs, durationMs, status }: ReturnType<Heard['getSnapshot']>, isLast = false): void {
    if (!track || !this.#isHeard) return;
    const heardAtMs = this.#deps.nowMs();
    this.#keptAtMs = heardAtMs;
    this.#isHeard = status === 'playing';
    if (track.growing) return;
    const isOver = status === 'ended' || positionMs > durationMs - overWithinMs;
    this.#deps.keep(track, { positionMs: isOver ? 0 : Math.round(positionMs), heardAtMs }, isLast);
  }
}
