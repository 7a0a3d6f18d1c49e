import { limits, type Quality } from '#contract/limits.ts';
import type { TakeMarker } from '#workers/encode/messages.ts';
import type { TakeRecord } from '#workers/encode/take-record.ts';

/** A take as this device knows it: plain facts for rows, player and trash. */
export interface LocalTake {
  id: string;
  title: string;
  startedAtMs: number;
  timeZone: string;
  durationMs: number;
  sizeBytes: number;
  quality: Quality;
  sampleRateHz: number;
  channels: number;
  deviceLabel: string | null;
  markers: readonly TakeMarker[];
  gaps: TakeRecord['gaps'];
  /** `recording`: a page is writing it now; `interrupted`: its page died and it waits for recovery; `stopped`: whole. */
  state: 'recording' | 'interrupted' | 'stopped';
  /** `device`: nowhere else; `syncing`: it has an owner and is on its way; `server`: receipted, this is a copy. */
  safety: 'device' | 'syncing' | 'server';
  deletedAtMs: number | null;
  /** Until when this copy of what the server has is kept; null while the server does not have it. */
  copyKeptUntilMs: number | null;
}

/** What is known beside the records: whose eyes these are, and which takes are held by a running worker. */
export interface Beholder {
  /** The person signed in, or null. */
  userId: string | null;
  heldTakeIds: ReadonlySet<string>;
}

/** A take of nobody is everyone's on this device; a take of somebody is theirs alone. */
function isVisibleTo(record: Pick<TakeRecord, 'ownerId'>, userId: string | null): boolean {
  return record.ownerId === null || record.ownerId === userId;
}

function stateOf(record: TakeRecord, heldTakeIds: ReadonlySet<string>): LocalTake['state'] {
  if (record.state === 'stopped') return 'stopped';
  return heldTakeIds.has(record.id) ? 'recording' : 'interrupted';
}

function safetyOf(record: TakeRecord): LocalTake['safety'] {
  if (record.receiptAtMs !== null) return 'server';
  return record.ownerId === null ? 'device' : 'syncing';
}

function localTakeOf(record: TakeRecord, heldTakeIds: ReadonlySet<string>): LocalTake {
  const { id, title, startedAtMs, timeZone, durationMs, sizeBytes, quality, sampleRateHz, channels, deviceLabel, deletedAtMs, gaps } = record;
  return {
    id, title, startedAtMs, timeZone, durationMs, sizeBytes, quality, sampleRateHz, channels, deviceLabel, deletedAtMs, gaps,
    markers: record.markers.map(({ id: markerId, atMs, label }) => ({ id: markerId, atMs, label })),
    state: stateOf(record, heldTakeIds),
    safety: safetyOf(record),
    copyKeptUntilMs: record.receiptAtMs === null ? null : record.receiptAtMs + limits.localCopyKeptMs,
  };
}

/** The takes one person sees on this device, newest first. */
export function takesFor(records: readonly TakeRecord[], { userId, heldTakeIds }: Beholder): LocalTake[] {
  return records
    .filter((record) => isVisibleTo(record, userId))
    .map((record) => localTakeOf(record, heldTakeIds))
    .toSorted((a, b) => b.startedAtMs - a.startedAtMs || (a.id < b.id ? 1 : -1));
}
