import { limits, type Quality } from '#contract/limits.ts';
import {
  safetyOf,
  withTransfer,
  type DeviceFacts,
  type RecordingState,
  type Transfer,
} from './recording-state.ts';
import type { OwnerStandings } from './owner-standings.ts';
import { blockReasonOf } from './block-reason.ts';
import { notesOf, type TakeMarker, type TakeNote, type TakeRecord } from '#device/records/take-record.ts';
import { isVisibleTo, ownerFor, type ViewerFacts } from './viewer.ts';

/** A take on this device, as recorder, library, player, storage page and trash show it. */
export interface DeviceTake {
  id: string;
  ownerId: string | null;
  title: string;
  startedAtMs: number;
  timeZone: string;
  /** Null while nothing has measured it. */
  durationMs: number | null;
  sizeBytes: number;
  quality: Quality;
  sampleRateHz: number;
  channels: number;
  deviceLabel: string | null;
  markers: readonly TakeMarker[];
  /** The notes that have text. */
  notes: readonly TakeNote[];
  gaps: TakeRecord['gaps'];
  pauses: TakeRecord['pauses'];
  /**
   * `recording`: a page is recording it. `interrupted`: its page was closed or crashed; it waits for recovery.
   * `stopped`: complete.
   */
  state: 'recording' | 'interrupted' | 'stopped';
  /** The facts from which `takeStateOf` computes the displayed state. */
  facts: DeviceFacts;
  deletedAtMs: number | null;
  /** When this copy is removed, because the server has the take; null while the server doesn't have it. */
  copyUntilMs: number | null;
}

/** The viewer, and the takes that a worker holds. */
export interface TakeViewer extends ViewerFacts {
  heldTakeIds: ReadonlySet<string>;
  /** The owners that can't sign in. Missing where that makes no difference. */
  standings?: OwnerStandings | undefined;
}

const noStandings: OwnerStandings = new Map();

/**
 * The displayed state of a take, from this device's facts alone. If the server knows the recording, use
 * `recordingStateOf`.
 * @param transfer the transfer state that this page's worker reports, if it has one
 */
export function takeStateOf({ facts }: Pick<DeviceTake, 'facts'>, transfer?: Transfer): RecordingState {
  return facts.isCapturing ? 'recording-here' : safetyOf(withTransfer(facts, transfer));
}

/** The facts of a stored take. Only the page that holds the take knows whether its bytes are being uploaded. */
function factsOf(record: TakeRecord, viewer: TakeViewer): DeviceFacts {
  const isHeld = viewer.heldTakeIds.has(record.id);
  const blockReason = blockReasonOf(record, viewer.standings ?? noStandings);
  return {
    isCapturing: record.state === 'recording' && isHeld,
    receipt: record.receiptAtMs === null ? 'none' : 'whole',
    isStored: true,
    owner: ownerFor(record, viewer),
    transfer: isHeld ? 'pending' : 'none',
    ...(blockReason !== null && { blockReason }),
  };
}

function deviceTakeOf(record: TakeRecord, viewer: TakeViewer): DeviceTake {
  const facts = factsOf(record, viewer);
  return {
    id: record.id,
    ownerId: record.ownerId,
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
    pauses: record.pauses,
    markers: record.markers.map(({ id, atMs, label }) => ({ id, atMs, label })),
    notes: notesOf(record).filter(({ text }) => text.trim() !== ''),
    state: record.state === 'stopped' ? 'stopped' : facts.isCapturing ? 'recording' : 'interrupted',
    facts,
    copyUntilMs: record.receiptAtMs === null ? null : record.receiptAtMs + limits.localCopyRetentionMs,
  };
}

/** What the server said last of a recording: its length, and whether it waits for more sound. */
export interface ServerLength {
  durationMs: number;
  isGrowing: boolean;
}

type Length = Pick<DeviceTake, 'state' | 'durationMs' | 'facts'>;

/** Whether this device has all of a stopped take, and what the server said last is of a part. */
export function isAheadOfServer(server: ServerLength, { state, durationMs, facts }: Length): boolean {
  if (state !== 'stopped') return false;
  // A server that still waits said so before it confirmed the last byte.
  return (
    server.isGrowing || (facts.receipt !== 'whole' && (durationMs === null || durationMs > server.durationMs))
  );
}

/**
 * The length of a recording that is on the server and on this device; null if nothing has measured it. The server's
 * length is that of the sound which has arrived: it holds once the server has confirmed every byte.
 * @param isCurrent whether the server said it now
 */
export function lengthOfBoth(server: ServerLength, take: Length, isCurrent: boolean): number | null {
  const isAhead = isAheadOfServer(server, take);
  if (isAhead && take.durationMs === null) return null;
  const isMeasured = !isAhead && isCurrent && take.facts.receipt === 'whole';
  return isMeasured ? server.durationMs : Math.max(server.durationMs, take.durationMs ?? 0);
}

/** Whether the take is stopped, not in the trash, and without an owner. */
export const isUnowned = ({ facts, state, deletedAtMs }: DeviceTake): boolean =>
  facts.owner === 'nobody' && state === 'stopped' && deletedAtMs === null;

/** The takes that a user may see on this device, newest first. */
export function takesFor(records: readonly TakeRecord[], viewer: TakeViewer): DeviceTake[] {
  return records
    .filter((record) => isVisibleTo(record, viewer))
    .map((record) => deviceTakeOf(record, viewer))
    .toSorted((a, b) => b.startedAtMs - a.startedAtMs || (a.id < b.id ? 1 : -1));
}
