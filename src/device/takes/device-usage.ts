import { takesFor, type DeviceTake, type TakeViewer } from './device-take.ts';
import { lostStandingOf } from './owner-standings.ts';
import type { TakeRecord } from '#device/records/take-record.ts';
import { isVisibleTo } from './viewer.ts';

/** Takes of which only count and size are shown. */
interface TakeCount {
  count: number;
  sizeBytes: number;
}

/** The storage that Earshot uses on this device, as one viewer may see it. */
export interface DeviceUsage {
  /** The viewer's takes and those without an owner, newest first, without trashed ones. */
  takes: readonly DeviceTake[];
  trashed: TakeCount;
  /** The takes of other users of this device whose accounts exist. */
  others: TakeCount;
  /** The takes of deleted accounts, except those that the viewer may see. */
  ofDeletedAccounts: TakeCount;
  /**
   * Bytes that Earshot stores on this device: takes of every user, and copies of files that are being imported.
   */
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
  const foreign = records.filter((record) => !isVisibleTo(record, viewer));
  const isOfDeleted = ({ ownerId }: TakeRecord): boolean =>
    lostStandingOf(viewer.standings ?? new Map(), ownerId) === 'deleted';
  return {
    takes: takes.filter(({ deletedAtMs }) => deletedAtMs === null),
    trashed: countOf(takes.filter(({ deletedAtMs }) => deletedAtMs !== null)),
    usedBytes: importBytes + countOf(records).sizeBytes,
    others: countOf(foreign.filter((record) => !isOfDeleted(record))),
    ofDeletedAccounts: countOf(foreign.filter(isOfDeleted)),
  };
}

/** Whether this device has no take of anyone, in no place. */
export const isEmptyUsage = ({ takes, trashed, others, ofDeletedAccounts }: DeviceUsage): boolean =>
  takes.length + trashed.count + others.count + ofDeletedAccounts.count === 0;
