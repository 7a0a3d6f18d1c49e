import type { TakeRecord } from '#device/records/take-record.ts';
import { elapsedMsOf } from '#device/records/take-length.ts';
import type { CaptureSource, NewTake } from '#workers/take/messages.ts';
import { takeSourceOf } from '#web/features/recorder/capture/take-source.ts';
import type { Take } from './take.ts';

/** The source of a take's audio, and where it is stored. */
export interface TakeOrigin {
  source: CaptureSource;
  journal: Take['journal'];
}

const initial = {
  condition: 'unattached',
  storageTarget: 'disk',
  alarms: [],
  markers: [],
  notes: [],
  passages: [],
  gaps: [],
} as const;

/** A new take, before any audio. */
export function startedTake(take: NewTake, { source, journal }: TakeOrigin): Take {
  return {
    ...take,
    ...initial,
    progress: { capturedMs: 0, deviceMs: 0, serverMs: 0 },
    safety: 'device',
    journal,
    ...takeSourceOf(source),
    microphoneChangeGap: null,
  };
}

/** A stored take that continues from its length. */
export function continuedTake(record: TakeRecord, { source, journal }: TakeOrigin): Take {
  const { id, title, startedAtMs, timeZone, quality, sampleRateHz, channels, ownerId, gaps } = record;
  // The worker, which measures the take, continues there as well.
  const durationMs = record.durationMs ?? elapsedMsOf(record);
  const serverMs = record.receiptAtMs === null ? 0 : durationMs;
  return {
    ...initial,
    id,
    title,
    startedAtMs,
    timeZone,
    quality,
    sampleRateHz,
    channels,
    ownerId,
    gaps,
    journal,
    deviceLabel: source.deviceLabel,
    ...takeSourceOf(source),
    microphoneChangeGap: null,
    progress: { capturedMs: durationMs, deviceMs: durationMs, serverMs },
    safety: record.upload === null ? 'device' : 'syncing',
    notes: record.notes ?? [],
    markers: record.markers.map(({ id: markerId, atMs, label }) => ({ id: markerId, atMs, label })),
  };
}
