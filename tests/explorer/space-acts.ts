import { unlinkSync } from 'node:fs';
import { fillUp } from '#tests/support/small-file-system.ts';
import type { Act } from './act.ts';
import { isReachable } from './model.ts';

/** So little that the next bytes of a take do not fit. */
const leftBytes = 8192;

/** What happens to the space of the server and of this device. */
export const spaceActs: Readonly<Record<string, Act>> = {
  'server full': {
    weight: 2,
    isPossible: ({ model, disk }) => disk !== null && isReachable(model) && !model.isServerFull,
    run: async (world) => {
      fillUp(world.server.dataDir, leftBytes);
      world.model.isServerFull = true;
    },
  },
  'server has space': {
    weight: 8,
    isPossible: ({ model }) => model.isServerFull,
    run: async (world) => {
      unlinkSync(`${world.server.dataDir}/filler`);
      world.model.isServerFull = false;
    },
  },
  'device full': {
    weight: 2,
    // What is in memory alone is lost with its page, and the explorer lets the server have it first.
    isPossible: ({ model }) => isReachable(model) && !model.isDeviceFull,
    run: (world) => world.setDeviceFull(true),
  },
  'device has space': {
    weight: 8,
    isPossible: ({ model }) => model.isDeviceFull,
    run: (world) => world.setDeviceFull(false),
  },
};
