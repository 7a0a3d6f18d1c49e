import type { Gap } from '#contract/recordings.ts';
import type { TakeMarker, TakeNote } from '#device/takes/take-record.ts';
import type { Alarm, Keeping, TakeProgress } from '#workers/take/messages.ts';
import type { UploadCondition } from '#workers/upload/upload-condition.ts';
import type { Ending, InterruptionCause, CaptureErrorReason, Take } from './take.ts';

/** What of a take may be another after an interruption. */
export type TakeSource = Pick<Take, 'deviceLabel' | 'sourceKind'>;

export type TakeEvent =
  /** `continues`: the id of a take that was stopped or found, and is to go on. */
  | { type: 'start-pressed'; continues?: string | undefined }
  | { type: 'rejected'; reason: CaptureErrorReason }
  | { type: 'started'; take: Take }
  | { type: 'paused' }
  | { type: 'resumed' }
  | { type: 'interrupted'; cause: InterruptionCause }
  /** Sound comes again, or comes from another microphone. */
  | { type: 'continued'; from: TakeSource }
  | { type: 'ending'; ending: Ending }
  | { type: 'closed'; takeId: string; durationMs: number }
  | { type: 'dismissed' }
  | TakeUpdate;

/** What may be told of a take at any moment of its life. */
export type TakeUpdate =
  | { type: 'progress'; takeId: string; progress: TakeProgress; condition: UploadCondition; keeping: Keeping }
  | { type: 'markers'; takeId: string; markers: readonly TakeMarker[] }
  | { type: 'notes'; takeId: string; notes: readonly TakeNote[] }
  | { type: 'gaps'; takeId: string; gaps: readonly Gap[] }
  | { type: 'alarms'; takeId: string; alarms: readonly Alarm[] }
  | { type: 'renamed'; takeId: string; title: string }
  | { type: 'attached'; takeId: string; ownerId: string }
  | { type: 'receipt'; takeId: string };
