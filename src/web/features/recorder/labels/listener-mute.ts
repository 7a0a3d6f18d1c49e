import { limits } from '#contract/limits.ts';
import type { TakePassage } from '#device/records/take-record.ts';
import { newId } from '#device/new-id.ts';
import { recorder } from '#web/features/recorder/recorder.ts';
import type { Take } from '#web/features/recorder/take/take.ts';

/**
 * Whether a take is muted for the listeners of its links, as the server has confirmed it. `starting` and `ending`: the
 * user pressed, and the server has not confirmed it yet. `rejected`: it did not accept the passage, so listeners hear
 * the take.
 */
export type ListenerMute =
  | { status: 'heard' | 'starting' | 'ending' | 'rejected' }
  /** `fromMs`: links give nothing from here on. */
  | { status: 'muted'; fromMs: number };

/** The state of the latest passage. */
export function listenerMuteOf(passages: readonly TakePassage[]): ListenerMute {
  const passage = passages.at(-1);
  if (passage === undefined) return { status: 'heard' };
  const { stored, toMs } = passage;
  if (stored === 'rejected') return { status: 'rejected' };
  if (toMs !== null) return { status: stored?.toMs === toMs ? 'heard' : 'ending' };
  return stored === null ? { status: 'starting' } : { status: 'muted', fromMs: stored.fromMs };
}

/** Whether the latest passage lasts, whether confirmed or not. */
export const isMuted = ({ status }: ListenerMute): boolean => status === 'starting' || status === 'muted';

/** Whether another passage can be started. */
export const hasPassagesLeft = (passages: readonly TakePassage[]): boolean =>
  passages.length < limits.passagesPerRecording;

/** Mutes the running take for listeners from now on, or unmutes it. */
export function toggleListenerMute({ passages }: Pick<Take, 'passages'>): void {
  const last = passages.at(-1);
  if (last !== undefined && isMuted(listenerMuteOf(passages)))
    recorder.changeLabel({ type: 'end-passage', passageId: last.id });
  else recorder.changeLabel({ type: 'start-passage', passageId: newId() });
}

/** A part of a take that listeners don't hear. */
export interface MutedSpan {
  fromMs: number;
  /** Null: until it is unmuted. */
  toMs: number | null;
}

/** The parts of a take that listeners don't hear, as far as this device knows. */
export const mutedSpansOf = (passages: readonly TakePassage[]): readonly MutedSpan[] =>
  passages.flatMap(({ atMs, toMs, stored }) =>
    stored === 'rejected' ? [] : [{ fromMs: stored?.fromMs ?? atMs, toMs }],
  );
