import { isActive, type ImportItem } from '#web/features/imports/importer/import-item.ts';

/** `asking`: every file waits for the user's answer. `ended`: no import continues without the user. */
export type ImportSummary =
  | { kind: 'asking' }
  | { kind: 'under-way' | 'ended'; done: number; failed: number; all: number };

const failedSteps: ReadonlySet<ImportItem['state']['step']> = new Set([
  'rejected',
  'failed',
  'over-quota',
  'unplayable',
]);
const promptSteps: ReadonlySet<ImportItem['state']['step']> = new Set(['offered', 'unread', 'duplicate']);

export const isFailed = ({ state }: ImportItem): boolean => failedSteps.has(state.step);

/** The rows in the order of the list: failures, then what needs an answer or is under way, then what is finished. */
export function sectionsOf(rows: readonly ImportItem[]): Record<'failed' | 'open' | 'done', ImportItem[]> {
  const isDone = ({ state }: ImportItem): boolean => state.step === 'done';
  return {
    failed: rows.filter(isFailed),
    open: rows.filter((row) => !isFailed(row) && !isDone(row)),
    done: rows.filter(isDone),
  };
}

/** Summarises all imports. The list is headed by a question only while every file in it waits for an answer. */
export function summarise(rows: readonly ImportItem[]): ImportSummary {
  const count = (isCounted: (row: ImportItem) => boolean) => rows.filter(isCounted).length;
  const asking = count(({ state }) => promptSteps.has(state.step));
  if (rows.length > 0 && asking === rows.length) return { kind: 'asking' };
  const done = count(({ state }) => state.step === 'done');
  const failed = count(isFailed);
  const isUnderWay =
    asking > 0 ||
    rows.some(({ state }) => isActive(state) || state.step === 'paused' || state.step === 'checking');
  return {
    kind: isUnderWay ? 'under-way' : 'ended',
    done,
    failed,
    all: rows.length - count(({ state }) => state.step === 'offered'),
  };
}
