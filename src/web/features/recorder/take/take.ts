import type { Gap } from '#contract/recordings.ts';
import type { Rejection, TakeMarker, PageNote, TakePassage } from '#device/records/take-record.ts';
import type {
  Alarm,
  CaptureSource,
  StorageTarget,
  NewTake,
  RecorderReason,
  TakeProgress,
} from '#workers/take/messages.ts';
import type { TakeJournal } from '#workers/take/journal/stream-journal.ts';
import type { CaptureErrorReason } from '#web/features/recorder/capture/capture-error.ts';
import type { InterruptionCause } from '#web/features/recorder/capture/interruption.ts';
import type { UploadCondition } from '#workers/upload/upload-condition.ts';

/** Where the bytes are known to be. A take only moves from left to right. */
export type SafetyStage = 'device' | 'syncing' | 'server';

/** Why a take ended; all but `asked` and `discarded` were not requested by the user. */
export type Ending = 'asked' | 'discarded' | 'storage-full' | 'longest-take' | 'internal';

export interface Take extends NewTake {
  progress: TakeProgress;
  condition: UploadCondition;
  safety: SafetyStage;
  markers: readonly TakeMarker[];
  notes: readonly PageNote[];
  passages: readonly TakePassage[];
  gaps: readonly Gap[];
  storageTarget: StorageTarget;
  /** Why the server will never take it. Missing means that it may. */
  rejection?: Rejection;
  /** The active alarms. */
  alarms: readonly Alarm[];
  /**
   * `temporary`: everything is lost when this private window is closed. `memory`: everything that the server does
   * not have is lost with this page.
   */
  journal: TakeJournal;
  sourceKind: CaptureSource['kind'];
  /** Why the browser's own recorder is used; null if it is not. */
  recorderReason: RecorderReason | null;
  /** Whether PCM is measured: without it there is neither level nor wave, and no alarm about the sound. */
  hasLevel: boolean;
  /** Index of the gap at which another microphone took over; null while the take has had only one. */
  microphoneChangeGap: number | null;
}

interface StoppedTake {
  status: 'stopped';
  take: Take;
  ending: Ending;
}

/**
 * `continues`: the take that should be continued; missing for a new one. `result`: the take's result, which stays
 * visible and returns if the take can't be continued.
 */
interface Continued {
  continues?: string | undefined;
  result?: StoppedTake | undefined;
}

/**
 * A take of another account runs in this page: all that its viewer learns of it, besides the clock (viewed-take.ts).
 * The recorder itself is never in this state.
 */
export interface ForeignTake {
  status: 'foreign';
  ownerId: string;
  isStopping: boolean;
}

export type TakeState =
  | { status: 'idle' }
  /** `isMicrophoneOpen`: the browser has handed over the microphone, and the take is about to start. */
  | ({ status: 'asking'; isMicrophoneOpen?: true } & Continued)
  | ({ status: 'rejected'; reason: CaptureErrorReason } & Continued)
  | { status: 'recording'; take: Take }
  /** With a cause if the microphone was lost, too. It is then still being reopened. */
  | { status: 'paused'; take: Take; cause: InterruptionCause | null }
  | { status: 'interrupted'; take: Take; cause: InterruptionCause }
  | { status: 'stopping'; take: Take; ending: Ending }
  | StoppedTake
  | ForeignTake;

export const noTake: TakeState = { status: 'idle' };

/** True while audio is being captured, or capture may resume. */
export function isOpen(
  state: TakeState,
): state is Extract<TakeState, { status: 'recording' | 'paused' | 'interrupted' }> {
  return state.status === 'recording' || state.status === 'paused' || state.status === 'interrupted';
}

export type RunningTakeState = Extract<
  TakeState,
  { status: 'recording' | 'paused' | 'interrupted' | 'stopping' }
>;

/** True until the journal is closed. */
export function isRunning(state: TakeState): state is RunningTakeState {
  return isOpen(state) || state.status === 'stopping';
}

/** True while a take of any owner runs. */
export const isInProgress = (state: TakeState): state is RunningTakeState | ForeignTake =>
  isRunning(state) || state.status === 'foreign';

export function takeOf(state: TakeState): Take | null {
  if ('take' in state) return state.take;
  return 'result' in state ? (state.result?.take ?? null) : null;
}

/** Why audio is missing now or would be missing after a pause; null while the microphone works. */
export function interruptionOf(state: TakeState): InterruptionCause | null {
  return state.status === 'interrupted' || state.status === 'paused' ? state.cause : null;
}

/**
 * Whether closing the page would interrupt anything: a take is being recorded, or its owner's upload is not
 * complete. Takes without an owner are not uploaded.
 */
export function needsThisPage(state: TakeState): boolean {
  if (state.status === 'stopped') return state.take.ownerId !== null && state.take.safety !== 'server';
  return state.status === 'asking' || isRunning(state);
}
