import type { World } from './world.ts';

/** What a user can do, without a choice: a list of names repeats a walk. */
export interface Act {
  /** How often a walk chooses it, compared with others. */
  weight: number;
  isPossible: (world: World) => Promise<boolean> | boolean;
  run: (world: World) => Promise<void>;
}
