import { limits, type Quality } from '#contract/limits.ts';
import { notesOf, type TakeMarker, type TakeNote, type TakeRecord } from '#device/takes/take-record.ts';
import type { DeviceFacts } from '#web/recordings/state/recording-state.ts';

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
  /** Those that have text. */
  notes: readonly TakeNote[];
  gaps: TakeRecord['gaps'];
  /**
   * `recording`: a page is writing it now; `interrupted`: its page died and it waits for recovery; `stopped`:
   * whole.
   */
  state: 'recording' | 'interrupted' | 'stopped';
  /** What its state is computed from. */
  facts: DeviceFacts;
  deletedAtMs: number | null;
  /** Until when this copy of what the server has is kept; null while the server does not have it. */
  copyKeptUntilMs: number | null;
}

/** What is known beside the records: whose eyes these are, and which takes are held by a running worker. */
export interface TakeViewer {
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

/** What is known of a stored take. Whether its bytes move is known to the page that holds it. */
export function deviceFactsOf(record: TakeRecord, { userId, heldTakeIds }: TakeViewer): DeviceFacts {
  const isHeld = heldTakeIds.has(record.id);
  return {
    isCapturing: record.state === 'recording' && isHeld,
    receipt: record.receiptAtMs === null ? 'none' : 'whole',
    isStored: true,
    owner: ownerOf(record, userId),
    transfer: isHeld ? 'pending' : 'none',
  };
}

function ownerOf({ ownerId }: Pick<TakeRecord, 'ownerId'>, userId: string | null): DeviceFacts['owner'] {
  if (ownerId === null) return 'nobody';
  return ownerId === userId ? 'me' : 'other';
}

function localTakeOf(record: TakeRecord, viewer: TakeViewer): LocalTake {
  const {
    id,
    title,
    startedAtMs,
    timeZone,
    durationMs,
    sizeBytes,
    quality,
    sampleRateHz,
    channels,
    deviceLabel,
    deletedAtMs,
    gaps,
  } = record;
  return {
    id,
    title,
    startedAtMs,
    timeZone,
    durationMs,
    sizeBytes,
    quality,
    sampleRateHz,
    channels,
    deviceLabel,
    deletedAtMs,
    gaps,
    markers: record.markers.map(({ id: markerId, atMs, label }) => ({ id: markerId, atMs, label })),
    notes: notesOf(record).filter(({ text }) => text.trim() !== ''),
    state: stateOf(record, viewer.heldTakeIds),
    facts: deviceFactsOf(record, viewer),
    copyKeptUntilMs: record.receiptAtMs === null ? null : record.receiptAtMs + limits.localCopyKeptMs,
  };
}

/** A stopped take outside the trash that belongs to no account. */
export const isUnowned = ({ facts, state, deletedAtMs }: LocalTake): boolean =>
  facts.owner === 'nobody' && state === 'stopped' && deletedAtMs === null;

/** The takes one person sees on this device, newest first. */
export function takesFor(records: readonly TakeRecord[], viewer: TakeViewer): LocalTake[] {
  return records
    .filter((record) => isVisibleTo(record, viewer.userId))
    .map((record) => localTakeOf(record, viewer))
    .toSorted((a, b) => b.startedAtMs - a.startedAtMs || (a.id < b.id ? 1 : -1));
}
