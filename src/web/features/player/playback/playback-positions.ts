import { readJson, writeText } from '#device/site-data/text-store.ts';

/** Where playback of a recording stopped, by the clock of this device. */
export interface StoredPosition {
  positionMs: number;
  playedAtMs: number;
}

const storageKey = 'positions';
const maxPositions = 200;

function isStoredPosition(value: unknown): value is [id: string, positionMs: number, playedAtMs: number] {
  return (
    Array.isArray(value) &&
    value.length === 3 &&
    typeof value[0] === 'string' &&
    typeof value[1] === 'number' &&
    typeof value[2] === 'number'
  );
}

function readAll(): [id: string, positionMs: number, playedAtMs: number][] {
  const found = readJson('localStorage', storageKey);
  return Array.isArray(found) ? found.filter(isStoredPosition) : [];
}

/**
 * Stores in this browser where playback stopped, for the two hundred most recently played recordings. Works
 * offline.
 */
export const storedPositions = {
  read(recordingId: string): StoredPosition | null {
    const found = readAll().find(([id]) => id === recordingId);
    return found ? { positionMs: found[1], playedAtMs: found[2] } : null;
  },
  write(recordingId: string, { positionMs, playedAtMs }: StoredPosition): void {
    const others = readAll().filter(([id]) => id !== recordingId);
    // If storage is blocked or full, the server may still have the position.
    writeText(
      'localStorage',
      storageKey,
      JSON.stringify([...others, [recordingId, positionMs, playedAtMs]].slice(-maxPositions)),
    );
  },
};
