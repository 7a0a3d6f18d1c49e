import type { Quality } from '#contract/limits.ts';
import { createStore } from '#base/store.ts';
import { readText, writeText } from '#device/site-data/text-store.ts';

/**
 * The recording settings. They are stored in this browser, not in the account, because they are about this
 * device's microphones.
 */
export interface AudioPreferences {
  /** The chosen microphone; null for the system's default. */
  deviceId: string | null;
  deviceLabel: string | null;
  quality: Quality;
  /** Whether this device's user was told, since *High* was chosen, that it records without processing. */
  isHighExplained: boolean;
  /** Processing by the browser. It applies to *Speech* only. */
  echoCancellation: boolean;
  noiseSuppression: boolean;
  autoGainControl: boolean;
  /** Whether to show a system notification when a recording has a problem and this page is hidden. */
  notifyOfTrouble: boolean;
  /** How long before the press a marker is set, because the moment worth marking is often over by then. */
  markerBackSeconds: MarkerBackSeconds;
  /** Whether to play a soft sound before a take starts and after it has ended. */
  cues: boolean;
}

/** The choices for `markerBackSeconds`. */
export const markerBackChoices = [0, 3, 5, 10, 15, 30] as const;
type MarkerBackSeconds = (typeof markerBackChoices)[number];

const key = 'earshot.audio';

const defaults: AudioPreferences = {
  deviceId: null,
  deviceLabel: null,
  quality: 'speech',
  isHighExplained: false,
  echoCancellation: true,
  noiseSuppression: true,
  autoGainControl: true,
  notifyOfTrouble: false,
  markerBackSeconds: 0,
  cues: false,
};

const textOr = (value: unknown, fallback: string | null) => (typeof value === 'string' ? value : fallback);
const flagOr = (value: unknown, fallback: boolean) => (typeof value === 'boolean' ? value : fallback);

/** Parses stored preferences. Unknown or damaged values become defaults. */
export function parseAudioPreferences(text: string | null): AudioPreferences {
  let stored: unknown = null;
  try {
    stored = JSON.parse(text ?? 'null');
  } catch {
    return defaults;
  }
  if (typeof stored !== 'object' || stored === null) return defaults;
  const fields = new Map<string, unknown>(Object.entries(stored));
  return {
    deviceId: textOr(fields.get('deviceId'), null),
    deviceLabel: textOr(fields.get('deviceLabel'), null),
    quality: fields.get('quality') === 'high' ? 'high' : 'speech',
    isHighExplained: flagOr(fields.get('isHighExplained'), false),
    echoCancellation: flagOr(fields.get('echoCancellation'), true),
    noiseSuppression: flagOr(fields.get('noiseSuppression'), true),
    autoGainControl: flagOr(fields.get('autoGainControl'), true),
    notifyOfTrouble: flagOr(fields.get('notifyOfTrouble'), false),
    markerBackSeconds: markerBackChoices.find((choice) => choice === fields.get('markerBackSeconds')) ?? 0,
    cues: flagOr(fields.get('cues'), false),
  };
}

const store = createStore<AudioPreferences>(parseAudioPreferences(readText('localStorage', key)));

export const audioPreferences = {
  getSnapshot: () => store.getSnapshot(),
  subscribe: (listener: () => void) => store.subscribe(listener),
  change: (changes: Partial<AudioPreferences>) => {
    const next = { ...store.getSnapshot(), ...changes };
    store.set(next);
    writeText('localStorage', key, JSON.stringify(next));
  },
};
