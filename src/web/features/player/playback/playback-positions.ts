import { readJson, writeText } from '#device/site-data/text-store.ts';

/** Where a recording was left, by the clock of this device. */
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
 * Where recordings were left in this browser: works without a server, for the two hundred that were heard
 * last.
 */
export const storedPositions = {
  read(recordingId: string): StoredPosition | null {
    const found = readAll().find(([id]) => id === recordingId);
    return found ? { positionMs: found[1], playedAtMs: found[2] } : null;
  },
  write(recordingId: string, { positionMs, playedAtMs }: StoredPosition): void {
    const others = readAll().filter(([id]) => id !== recordingId);
    // Where storage is refused or full, the server may have it.
    writeText(
      'localStorage',
      storageKey,
      JSON.stringify([...others, [recordingId, positionMs, playedAtMs]].slice(-maxPositions)),
    );
  },
};
