import type { CaptureSource, NewTake } from '#workers/take/messages.ts';
import { notesOf, type TakeRecord } from '#device/takes/take-record.ts';
import type { Take } from './take.ts';

/** Where the sound of a new take comes from and where it is stored. */
export interface TakeOrigin {
  source: CaptureSource;
  journal: Take['journal'];
}

const fresh = { condition: 'unattached', keeping: 'disk', alarms: [] } as const;

/** A take whose first sound is yet to come. */
export function startedTake(take: NewTake, { source, journal }: TakeOrigin): Take {
  return {
    ...take,
    ...fresh,
    progress: { capturedMs: 0, deviceMs: 0, serverMs: 0 },
    safety: 'device',
    markers: [],
    notes: [],
    gaps: [],
    journal,
    sourceKind: source.kind,
  };
}

/** A take of a page that died, which goes on from its length. */
export function takeGoneOn(record: TakeRecord, { source, journal }: TakeOrigin): Take {
  const { id, title, startedAtMs, timeZone, quality, sampleRateHz, channels, ownerId, durationMs, gaps } =
    record;
  const serverMs = record.receiptAtMs === null ? 0 : durationMs;
  return {
    ...fresh,
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
    sourceKind: source.kind,
    progress: { capturedMs: durationMs, deviceMs: durationMs, serverMs },
    safety: record.upload === null ? 'device' : 'syncing',
    notes: notesOf(record),
    markers: record.markers.map(({ id: markerId, atMs, label }) => ({ id: markerId, atMs, label })),
  };
}
