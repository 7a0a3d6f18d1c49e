import type { Gap } from '#contract/recordings.ts';
import { notesOf, type TakeMarker, type TakeNote, type TakeRecord } from '#device/takes/take-record.ts';
import type { Alarm, CaptureSource, StorageTarget, NewTake, TakeProgress } from '#workers/take/messages.ts';
import type { JournalKind } from '#workers/take/journal/stream-journal.ts';
import type { CaptureErrorReason } from '#web/features/recorder/capture/capture-error.ts';
import type { InterruptionCause } from '#web/features/recorder/capture/interruption.ts';
import type { UploadCondition } from '#workers/upload/upload-condition.ts';

/** Where the bytes are known to be: left to right, and never back. */
export type SafetyStage = 'device' | 'syncing' | 'server';

/** Why a take ended; all but `asked` and `discarded` were not requested by the user. */
export type Ending = 'asked' | 'discarded' | 'storage-full' | 'longest-take' | 'internal';

export interface Take extends NewTake {
  progress: TakeProgress;
  condition: UploadCondition;
  safety: SafetyStage;
  markers: readonly TakeMarker[];
  notes: readonly TakeNote[];
  gaps: readonly Gap[];
  storageTarget: StorageTarget;
  /** The alarms that are on at this moment. */
  alarms: readonly Alarm[];
  /**
   * `database`: this window forgets everything when it is closed. `memory`: this page forgets what the server
   * does not have.
   */
  journal: JournalKind;
  sourceKind: CaptureSource['kind'];
}

interface StoppedTake {
  status: 'stopped';
  take: Take;
  ending: Ending;
}

/**
 * Which take is to continue, where it is not a new one that begins; and its result, where that is shown and
 * comes back when nothing begins.
 */
interface Continued {
  continues?: string | undefined;
  result?: StoppedTake | undefined;
}

export type TakeState =
  | { status: 'idle' }
  | ({ status: 'asking' } & Continued)
  | ({ status: 'rejected'; reason: CaptureErrorReason } & Continued)
  | { status: 'recording'; take: Take }
  /** With a cause where the sound was lost too: then that goes on being mended. */
  | { status: 'paused'; take: Take; cause: InterruptionCause | null }
  | { status: 'interrupted'; take: Take; cause: InterruptionCause }
  | { status: 'stopping'; take: Take; ending: Ending }
  | StoppedTake;

export const noTake: TakeState = { status: 'idle' };

/** True while sound is, or may again be, captured. */
export function isOpen(
  state: TakeState,
): state is Extract<TakeState, { status: 'recording' | 'paused' | 'interrupted' }> {
  return state.status === 'recording' || state.status === 'paused' || state.status === 'interrupted';
}

/** True until the journal is closed. */
export function isRunning(
  state: TakeState,
): state is Extract<TakeState, { status: 'recording' | 'paused' | 'interrupted' | 'stopping' }> {
  return isOpen(state) || state.status === 'stopping';
}

export function takeOf(state: TakeState): Take | null {
  if ('take' in state) return state.take;
  return 'result' in state ? (state.result?.take ?? null) : null;
}

/** Why no sound comes although it is wanted, or will be after a pause; null while sound comes. */
export function interruptionOf(state: TakeState): InterruptionCause | null {
  return state.status === 'interrupted' || state.status === 'paused' ? state.cause : null;
}

/** Whether closing the page would cost something: a take is recorded or still has bytes to send. Takes without an owner are not sent. */
export function needsThisPage(state: TakeState): boolean {
  if (state.status === 'stopped') return state.take.ownerId !== null && state.take.safety !== 'server';
  return state.status === 'asking' || isRunning(state);
}

/** Where the sound of a new take comes from and where it is stored. */
export interface TakeOrigin {
  source: CaptureSource;
  journal: Take['journal'];
}

const initial = { condition: 'unattached', storageTarget: 'disk', alarms: [] } as const;

/** A new take, before its first sound. */
export function startedTake(take: NewTake, { source, journal }: TakeOrigin): Take {
  return {
    ...take,
    ...initial,
    progress: { capturedMs: 0, deviceMs: 0, serverMs: 0 },
    safety: 'device',
    markers: [],
    notes: [],
    gaps: [],
    journal,
    sourceKind: source.kind,
  };
}

/** A stored take that continues from its length. */
export function continuedTake(record: TakeRecord, { source, journal }: TakeOrigin): Take {
  const { id, title, startedAtMs, timeZone, quality, sampleRateHz, channels, ownerId, durationMs, gaps } =
    record;
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
    sourceKind: source.kind,
    progress: { capturedMs: durationMs, deviceMs: durationMs, serverMs },
    safety: record.upload === null ? 'device' : 'syncing',
    notes: notesOf(record),
    markers: record.markers.map(({ id: markerId, atMs, label }) => ({ id: markerId, atMs, label })),
  };
}
