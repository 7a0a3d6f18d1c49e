import type { Quality } from '#contract/limits.ts';
import { createStore } from '#web/api/support/store.ts';

/** How this device records: kept in this browser, not in the account, because it speaks of this device's microphones. */
export interface AudioPreferences {
  /** The chosen microphone, or null for whatever the system uses. */
  deviceId: string | null;
  deviceLabel: string | null;
  quality: Quality;
  echoCancellation: boolean;
  noiseSuppression: boolean;
  autoGainControl: boolean;
}

const key = 'earshot.audio';

const defaults: AudioPreferences = {
  deviceId: null, deviceLabel: null, quality: 'speech', echoCancellation: true, noiseSuppression: true, autoGainControl: true,
};

const textOr = (value: unknown, fallback: string | null) => (typeof value === 'string' ? value : fallback);
const flagOr = (value: unknown, fallback: boolean) => (typeof value === 'boolean' ? value : fallback);

/** Reads what was stored; anything unknown or damaged falls back to its default. */
export function parseAudioPreferences(text: string | null): AudioPreferences {
  let stored: unknown = null;
  try { stored = JSON.parse(text ?? 'null'); } catch { return defaults; }
  if (typeof stored !== 'object' || stored === null) return defaults;
  const fields = new Map<string, unknown>(Object.entries(stored));
  return {
    deviceId: textOr(fields.get('deviceId'), null),
    deviceLabel: textOr(fields.get('deviceLabel'), null),
    quality: fields.get('quality') === 'high' ? 'high' : 'speech',
    echoCancellation: flagOr(fields.get('echoCancellation'), true),
    noiseSuppression: flagOr(fields.get('noiseSuppression'), true),
    autoGainControl: flagOr(fields.get('autoGainControl'), true),
  };
}

function storage(): Storage | null {
  // The getter itself throws where site data is blocked.
  try { return globalThis.localStorage ?? null; } catch { return null; }
}

const store = createStore<AudioPreferences>(parseAudioPreferences(storage()?.getItem(key) ?? null));

export const audioPreferences = {
  getSnapshot: () => store.getSnapshot(),
  subscribe: (listener: () => void) => store.subscribe(listener),
  change: (changes: Partial<AudioPreferences>) => {
    const next = { ...store.getSnapshot(), ...changes };
    store.set(next);
    try { storage()?.setItem(key, JSON.stringify(next)); } catch { return; }
  },
};
