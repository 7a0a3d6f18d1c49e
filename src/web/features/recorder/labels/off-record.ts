import { limits } from '#contract/limits.ts';
import type { TakePassage } from '#device/takes/take-record.ts';
import { newId } from '#device/new-id.ts';
import { recorder } from '#web/features/recorder/recorder.ts';
import type { Take } from '#web/features/recorder/take/take.ts';

/**
 * Whether a take is off the record, as the server has confirmed it. `starting` and `ending`: the user pressed, and the
 * server has not confirmed it yet. `rejected`: it did not accept the passage, so the take is on the record.
 */
export type OffRecord =
  | { status: 'on-record' | 'starting' | 'ending' | 'rejected' }
  /** `fromMs`: links give nothing from here on. */
  | { status: 'off-record'; fromMs: number };

/** The state of the latest passage. */
export function offRecordOf(passages: readonly TakePassage[]): OffRecord {
  const passage = passages.at(-1);
  if (passage === undefined) return { status: 'on-record' };
  const { stored, toMs } = passage;
  if (stored === 'rejected') return { status: 'rejected' };
  if (toMs !== null) return { status: stored?.toMs === toMs ? 'on-record' : 'ending' };
  return stored === null ? { status: 'starting' } : { status: 'off-record', fromMs: stored.fromMs };
}

/** Whether the latest passage lasts, whether confirmed or not. */
export const isOff = ({ status }: OffRecord): boolean => status === 'starting' || status === 'off-record';

/** Whether another passage can be started. */
export const hasPassagesLeft = (passages: readonly TakePassage[]): boolean =>
  passages.length < limits.passagesPerRecording;

/** Takes the running take off the record from now on, or puts it back on. */
export function toggleOffRecord({ passages }: Pick<Take, 'passages'>): void {
  const last = passages.at(-1);
  if (last !== undefined && isOff(offRecordOf(passages)))
    recorder.changeLabel({ type: 'end-passage', passageId: last.id });
  else recorder.changeLabel({ type: 'start-passage', passageId: newId() });
}
