import type { TakeMarker, TakeProgress, UploadCondition } from '#workers/encode/messages.ts';
import type { Ending, InterruptionCause, RefusalReason, Take } from './take.ts';

export type TakeEvent =
  | { type: 'start-pressed' }
  | { type: 'refused'; reason: RefusalReason }
  | { type: 'started'; take: Take }
  | { type: 'paused' }
  | { type: 'resumed' }
  | { type: 'interrupted'; cause: InterruptionCause }
  | { type: 'continued' }
  | { type: 'ending'; ending: Ending }
  | { type: 'closed'; takeId: string; durationMs: number }
  | { type: 'dismissed' }
  | TakeNews;

/** What may be told of a take at any moment of its life. */
export type TakeNews =
  | { type: 'progress'; takeId: string; progress: TakeProgress; condition: UploadCondition }
  | { type: 'markers'; takeId: string; markers: readonly TakeMarker[] }
  | { type: 'renamed'; takeId: string; title: string }
  | { type: 'attached'; takeId: string; ownerId: string }
  | { type: 'receipt'; takeId: string };
