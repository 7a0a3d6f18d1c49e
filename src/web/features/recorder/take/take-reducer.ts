import { assertNever } from '#base/errors/assert-never.ts';
import type { Rejection, PageNote, TakeMarker, TakePassage } from '#device/records/take-record.ts';
import type { Alarm, StorageTarget, TakeProgress } from '#workers/take/messages.ts';
import {
  interruptionOf,
  noTake,
  takeOf,
  type SafetyStage,
  type Take,
  type TakeState,
  type Ending,
} from './take.ts';
import type { Gap } from '#contract/recordings.ts';
import type { UploadCondition } from '#workers/upload/upload-condition.ts';
import type { CaptureErrorReason } from '#web/features/recorder/capture/capture-error.ts';
import type { TakeSource } from '#web/features/recorder/capture/take-source.ts';
import type { InterruptionCause } from '#web/features/recorder/capture/interruption.ts';

export type TakeEvent =
  /** `continues`: the id of a stopped or recovered take that should be continued. */
  | { type: 'start-pressed'; continues?: string | undefined }
  | { type: 'microphone-opened' }
  | { type: 'rejected'; reason: CaptureErrorReason }
  | { type: 'started'; take: Take }
  | { type: 'paused' }
  | { type: 'resumed' }
  | { type: 'interrupted'; cause: InterruptionCause }
  /** Audio is being captured again, possibly from another microphone. */
  | { type: 'continued'; from: TakeSource }
  | { type: 'ending'; ending: Ending }
  | { type: 'closed'; takeId: string; durationMs: number | null }
  | { type: 'dismissed' }
  | TakeUpdate;

/** Updates that may arrive at any time. */
type TakeUpdate =
  | {
      type: 'progress';
      takeId: string;
      progress: TakeProgress;
      condition: UploadCondition;
      storageTarget: StorageTarget;
    }
  | { type: 'markers'; takeId: string; markers: readonly TakeMarker[] }
  | { type: 'notes'; takeId: string; notes: readonly PageNote[] }
  | { type: 'passages'; takeId: string; passages: readonly TakePassage[] }
  | { type: 'gaps'; takeId: string; gaps: readonly Gap[] }
  | { type: 'alarms'; takeId: string; alarms: readonly Alarm[] }
  | { type: 'renamed'; takeId: string; title: string }
  | { type: 'attached'; takeId: string; ownerId: string }
  | { type: 'server-rejected'; takeId: string; rejection: Rejection }
  | { type: 'receipt'; takeId: string };

type Status = TakeState['status'];
type WithTake = Extract<TakeState, { take: Take }>;
type CourseEvent = Exclude<TakeEvent, TakeUpdate>;
type EntryEvent = Extract<
  CourseEvent,
  { type: 'start-pressed' | 'microphone-opened' | 'rejected' | 'started' | 'dismissed' }
>;
type RunningEvent = Exclude<CourseEvent, EntryEvent>;

/** The states in which each event is possible. In other states it is ignored. */
const happensIn: Readonly<Record<CourseEvent['type'], readonly Status[]>> = {
  'start-pressed': ['idle', 'rejected', 'stopped'],
  'microphone-opened': ['asking'],
  rejected: ['asking'],
  started: ['asking'],
  dismissed: ['stopped', 'rejected'],
  paused: ['recording', 'interrupted'],
  resumed: ['paused'],
  interrupted: ['recording', 'paused', 'interrupted'],
  continued: ['recording', 'paused', 'interrupted'],
  ending: ['recording', 'paused', 'interrupted'],
  closed: ['stopping'],
};

/**
 * The next state of the take. Events that are impossible in the current state or belong to another take are
 * ignored.
 */
export function nextTakeState(state: TakeState, event: TakeEvent): TakeState {
  if ('takeId' in event && takeOf(state)?.id !== event.takeId) return state;
  if (isUpdate(event)) return stateWithUpdate(state, event);
  if (!happensIn[event.type].includes(state.status)) return state;
  if (isEntry(event)) return entered(state, event);
  return 'take' in state ? nextOfRunning(state, event) : state;
}

const isUpdate = (event: TakeEvent): event is TakeUpdate => !(event.type in happensIn);

const isEntry = (event: CourseEvent): event is EntryEvent =>
  event.type === 'start-pressed' ||
  event.type === 'microphone-opened' ||
  event.type === 'rejected' ||
  event.type === 'started' ||
  event.type === 'dismissed';

function stateWithUpdate(state: TakeState, update: TakeUpdate): TakeState {
  if ('take' in state) return { ...state, take: withUpdate(state.take, update) };
  return 'result' in state && state.result
    ? { ...state, result: { ...state.result, take: withUpdate(state.result.take, update) } }
    : state;
}

/**
 * The displayed result of a stopped take. It stays while the take is about to continue, and returns if that fails.
 */
function resultOf(state: TakeState): Extract<TakeState, { status: 'stopped' }> | undefined {
  if (state.status === 'stopped') return state;
  return 'result' in state ? state.result : undefined;
}

function entered(state: TakeState, event: EntryEvent): TakeState {
  const result = resultOf(state);
  const continues = 'continues' in state ? state.continues : undefined;
  switch (event.type) {
    case 'start-pressed':
      return {
        status: 'asking',
        continues: event.continues,
        result: result?.take.id === event.continues ? result : undefined,
      };
    case 'microphone-opened':
      return { status: 'asking', isMicrophoneOpen: true, continues, result };
    case 'rejected':
      return { status: 'rejected', reason: event.reason, continues, result };
    case 'started':
      return { status: 'recording', take: event.take };
    case 'dismissed':
      return state.status === 'rejected' && result ? result : noTake;
    default:
      return assertNever(event);
  }
}

function nextOfRunning(state: WithTake, event: RunningEvent): TakeState {
  const { take } = state;
  switch (event.type) {
    case 'paused':
      return { status: 'paused', take, cause: interruptionOf(state) };
    case 'resumed':
      return resumed(state);
    case 'interrupted':
      return state.status === 'paused'
        ? { ...state, cause: event.cause }
        : { status: 'interrupted', take, cause: event.cause };
    case 'continued':
      return continued(state, { ...take, ...event.from, microphoneChangeGap: changeGapOf(take, event.from) });
    case 'ending':
      return { status: 'stopping', ending: event.ending, take: { ...take, alarms: [] } };
    case 'closed':
      return closed(state, event.durationMs);
    default:
      return assertNever(event);
  }
}

function resumed(state: WithTake): TakeState {
  const { take } = state;
  const cause = interruptionOf(state);
  return cause === null ? { status: 'recording', take } : { status: 'interrupted', take, cause };
}

/** Sound continues before its gap is reported, so a change of the microphone belongs to the next gap. */
const changeGapOf = (
  { deviceLabel, gaps, microphoneChangeGap }: Take,
  from: Pick<TakeSource, 'deviceLabel'>,
): number | null => (from.deviceLabel === deviceLabel ? microphoneChangeGap : gaps.length);

function continued(state: WithTake, take: Take): TakeState {
  return state.status === 'paused' ? { status: 'paused', take, cause: null } : { status: 'recording', take };
}

function closed(state: WithTake, durationMs: number | null): TakeState {
  if (state.status !== 'stopping') return state;
  const { take, ending } = state;
  const endMs = durationMs ?? take.progress.capturedMs;
  const progress = forward(take.progress, { ...take.progress, capturedMs: endMs, deviceMs: endMs });
  return { status: 'stopped', ending, take: { ...take, progress } };
}

function withUpdate(take: Take, update: TakeUpdate): Take {
  if (update.type === 'progress') {
    const progress = forward(take.progress, update.progress);
    return {
      ...take,
      progress,
      condition: update.condition,
      storageTarget: update.storageTarget,
      safety: atLeast(take.safety, progress.serverMs > 0 ? 'syncing' : 'device'),
    };
  }
  if (update.type === 'receipt')
    return {
      ...take,
      safety: 'server',
      condition: 'idle',
      progress: { ...take.progress, serverMs: take.progress.deviceMs },
    };
  // Every other update replaces the fields that it has.
  const { type, takeId: _takeId, ...fields } = update;
  const { safety } = take;
  return { ...take, ...fields, safety: type === 'attached' ? atLeast(safety, 'syncing') : safety };
}

/**
 * Captured and stored lengths only grow. The server's length may decrease, after a power failure that it reports.
 */
function forward(before: TakeProgress, after: TakeProgress): TakeProgress {
  const capturedMs = Math.max(before.capturedMs, after.capturedMs);
  const deviceMs = Math.min(capturedMs, Math.max(before.deviceMs, after.deviceMs));
  return { capturedMs, deviceMs, serverMs: Math.min(deviceMs, Math.max(0, after.serverMs)) };
}

const order: readonly SafetyStage[] = ['device', 'syncing', 'server'];

function atLeast(before: SafetyStage, after: SafetyStage): SafetyStage {
  return order.indexOf(after) > order.indexOf(before) ? after : before;
}
