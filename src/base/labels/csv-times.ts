import { hour, second } from '#base/duration.ts';
import type { LabelUnit } from './label.ts';
import { msOf } from './label-time.ts';

/** A time in a row. `mayLackHours`: it has the form in which Excel saves `01:02:03.500`, which is `02:03.5`. */
export interface CsvTime {
  ms: number;
  mayLackHours: boolean;
}

/** Why a row has no usable time: `time`, a cell is not a time; `differs`, its milliseconds and its clock differ. */
export type NoCsvTime = 'time' | 'differs';

/** Minutes and seconds with one decimal: Excel's own format for times with fractions (`mm:ss.0`). */
const withoutHours = /^\d{1,2}:\d{2}[.,]\d$/;
const withoutHoursOrUnknown = /^\d{1,2}:\d{2}(?:[.,]\d+)?$/;
/** What Excel saves for a cell that is too narrow for its time. */
const tooNarrow = /^#+$/;
const wholeNumber = /^\d{1,12}(?:[.,]0+)?$/;

/**
 * Whether a clock can be the same time after a spreadsheet rounded or cut it to the displayed decimals, or left
 * out its hours.
 */
function agrees(clock: string, clockMs: number, ms: number): boolean {
  const decimals = /[.,](\d+)$/.exec(clock)?.[1]?.length ?? 0;
  const unitMs = Math.max(1, second / 10 ** decimals);
  const apartMs = Math.abs(clockMs - ms);
  if (apartMs < unitMs) return true;
  return withoutHoursOrUnknown.test(clock) && Math.min(apartMs % hour, hour - (apartMs % hour)) < unitMs;
}

/** The time of a cell without another one; null if it is empty. */
function loneTimeOf(cell: string, unit: LabelUnit | null): CsvTime | NoCsvTime | null {
  if (cell === '') return null;
  const ms = msOf(cell, unit ?? 'seconds');
  return ms === null ? 'time' : { ms, mayLackHours: unit === null && withoutHours.test(cell) };
}

/**
 * The time of a clock cell and of the cell with the same time in milliseconds, either of which may be empty; null
 * if both are.
 * @param unit that the user chose, null for the one that the file states
 */
export function csvTimeOf(
  { clock: clockCell, ms: msCell }: { clock: string; ms: string },
  unit: LabelUnit | null,
): CsvTime | NoCsvTime | null {
  const [clock, whole] = [clockCell.trim(), msCell.trim()];
  if (whole === '') return loneTimeOf(clock, unit);
  if (unit !== null && clock === '') return loneTimeOf(whole, unit);
  const clockMs = msOf(clock, unit ?? 'seconds');
  if (!wholeNumber.test(whole)) return 'time';
  const ms = Math.round(Number(whole.replace(',', '.')));
  if (clock === '' || tooNarrow.test(clock)) return { ms, mayLackHours: false };
  if (clockMs === null) return 'time';
  return agrees(clock, clockMs, ms) ? { ms, mayLackHours: false } : 'differs';
}
