import { takesFor, type DeviceTake, type TakeViewer } from './device-take.ts';
import type { TakeRecord } from './take-record.ts';
import { isVisibleTo } from './viewer.ts';

/** A number of takes of which nothing else is shown. */
interface TakeCount {
  count: number;
  sizeBytes: number;
}

/** What is stored on this device, for one viewer. */
export interface DeviceUsage {
  /** The viewer's own and those without an owner, newest first, without the trash. */
  takes: readonly DeviceTake[];
  trashed: TakeCount;
  /** Of other users of this device. */
  others: TakeCount;
  /** All that Earshot stores on this device: takes of every user, and copies of files that are imported. */
  usedBytes: number;
}

const countOf = (takes: readonly { sizeBytes: number }[]): TakeCount => ({
  count: takes.length,
  sizeBytes: takes.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
});

export function deviceUsageOf(
  records: readonly TakeRecord[],
  viewer: TakeViewer,
  importBytes = 0,
): DeviceUsage {
  const takes = takesFor(records, viewer);
  return {
    takes: takes.filter(({ deletedAtMs }) => deletedAtMs === null),
    trashed: countOf(takes.filter(({ deletedAtMs }) => deletedAtMs !== null)),
    usedBytes: importBytes + countOf(records).sizeBytes,
    others: countOf(records.filter((record) => !isVisibleTo(record, viewer.userId))),
  };
}
