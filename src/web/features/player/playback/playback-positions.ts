import { readJson, writeText } from '#device/site-data/text-store.ts';

/** Where a recording was left, by the clock of this device. */
export interface KeptPosition {
  positionMs: number;
  heardAtMs: number;
}

const storageKey = 'positions';
const mostKept = 200;

function isKept(value: unknown): value is [id: string, positionMs: number, heardAtMs: number] {
  return (
    Array.isArray(value) &&
    value.length === 3 &&
    typeof value[0] === 'string' &&
    typeof value[1] === 'number' &&
    typeof value[2] === 'number'
  );
}

function readAll(): [id: string, positionMs: number, heardAtMs: number][] {
  const found = readJson('localStorage', storageKey);
  return Array.isArray(found) ? found.filter(isKept) : [];
}

/**
 * Where recordings were left in this browser: works without a server, for the two hundred that were heard
 * last.
 */
export const keptPositions = {
  read(recordingId: string): KeptPosition | null {
    const found = readAll().find(([id]) => id === recordingId);
    return found ? { positionMs: found[1], heardAtMs: found[2] } : null;
  },
  write(recordingId: string, { positionMs, heardAtMs }: KeptPosition): void {
    const others = readAll().filter(([id]) => id !== recordingId);
    // Where storage is refused or full, the server may have it.
    writeText(
      'localStorage',
      storageKey,
      JSON.stringify([...others, [recordingId, positionMs, heardAtMs]].slice(-mostKept)),
    );
  },
};
