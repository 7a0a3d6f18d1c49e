import { limits, type Quality } from '#contract/limits.ts';
import {
  safetyOf,
  withTransfer,
  type DeviceFacts,
  type RecordingState,
  type Transfer,
} from './recording-state.ts';
import { notesOf, type TakeMarker, type TakeNote, type TakeRecord } from './take-record.ts';
import { isVisibleTo, ownerFor } from './viewer.ts';

/** A take on this device, as recorder, library, player, storage page and trash show it. */
export interface DeviceTake {
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
  /** `recording`: a page writes it now; `interrupted`: its page died, it waits for recovery; `stopped`: whole. */
  state: 'recording' | 'interrupted' | 'stopped';
  /** What `takeStateOf` computes the shown state from. */
  facts: DeviceFacts;
  deletedAtMs: number | null;
  /** When this copy of what the server has is removed; null while the server does not have it. */
  copyUntilMs: number | null;
}

/** For whom takes are read, and which of them a worker holds. */
export interface TakeViewer {
  userId: string | null;
  heldTakeIds: ReadonlySet<string>;
}

/**
 * The state of a take that this device alone is asked about, as every surface shows it. Where the server knows the
 * recording too, `recordingStateOf` decides.
 * @param transfer what this page's worker says about its bytes, if there is one
 */
export function takeStateOf({ facts }: Pick<DeviceTake, 'facts'>, transfer?: Transfer): RecordingState {
  return facts.isCapturing ? 'recording-here' : safetyOf(withTransfer(facts, transfer));
}

/** The facts of a stored take. Whether its bytes move is known to the page that holds it. */
function factsOf(record: TakeRecord, { userId, heldTakeIds }: TakeViewer): DeviceFacts {
  const isHeld = heldTakeIds.has(record.id);
  return {
    isCapturing: record.state === 'recording' && isHeld,
    receipt: record.receiptAtMs === null ? 'none' : 'whole',
    isStored: true,
    owner: ownerFor(record, userId),
    transfer: isHeld ? 'pending' : 'none',
  };
}

function deviceTakeOf(record: TakeRecord, viewer: TakeViewer): DeviceTake {
  const facts = factsOf(record, viewer);
  return {
    id: record.id,
    title: record.title,
    startedAtMs: record.startedAtMs,
    timeZone: record.timeZone,
    durationMs: record.durationMs,
    sizeBytes: record.sizeBytes,
    quality: record.quality,
    sampleRateHz: record.sampleRateHz,
    channels: record.channels,
    deviceLabel: record.deviceLabel,
    deletedAtMs: record.deletedAtMs,
    gaps: record.gaps,
    markers: record.markers.map(({ id, atMs, label }) => ({ id, atMs, label })),
    notes: notesOf(record).filter(({ text }) => text.trim() !== ''),
    state: record.state === 'stopped' ? 'stopped' : facts.isCapturing ? 'recording' : 'interrupted',
    facts,
    copyUntilMs: record.receiptAtMs === null ? null : record.receiptAtMs + limits.localCopyRetentionMs,
  };
}

/** A stopped take outside the trash that has no owner. */
export const isUnowned = ({ facts, state, deletedAtMs }: DeviceTake): boolean =>
  facts.owner === 'nobody' && state === 'stopped' && deletedAtMs === null;

/** The takes that a user sees on this device, newest first. */
export function takesFor(records: readonly TakeRecord[], viewer: TakeViewer): DeviceTake[] {
  return records
    .filter((record) => isVisibleTo(record, viewer.userId))
    .map((record) => deviceTakeOf(record, viewer))
    .toSorted((a, b) => b.startedAtMs - a.startedAtMs || (a.id < b.id ? 1 : -1));
}
