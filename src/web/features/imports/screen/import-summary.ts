import { isActive, type ImportItem } from '#web/features/imports/importer/import-item.ts';

/** `asking`: every file waits for the user's answer. `ended`: no import continues without the user. */
export type ImportSummary =
  | { kind: 'asking' }
  | { kind: 'under-way' | 'ended'; done: number; failed: number; all: number };

const failedSteps: ReadonlySet<ImportItem['state']['step']> = new Set(['rejected', 'failed', 'over-quota']);
const promptSteps: ReadonlySet<ImportItem['state']['step']> = new Set(['offered', 'unread', 'duplicate']);

export const isFailed = ({ state }: ImportItem): boolean => failedSteps.has(state.step);

/** Summarises all imports. The list is headed by a question only while every file in it waits for an answer. */
export function summarise(rows: readonly ImportItem[]): ImportSummary {
  const count = (isCounted: (row: ImportItem) => boolean) => rows.filter(isCounted).length;
  const asking = count(({ state }) => promptSteps.has(state.step));
  if (rows.length > 0 && asking === rows.length) return { kind: 'asking' };
  const done = count(({ state }) => state.step === 'done');
  const failed = count(isFailed);
  const isUnderWay = asking > 0 || rows.some(({ state }) => isActive(state) || state.step === 'paused');
  return {
    kind: isUnderWay ? 'under-way' : 'ended',
    done,
    failed,
    all: rows.length - count(({ state }) => state.step === 'offered'),
  };
}
