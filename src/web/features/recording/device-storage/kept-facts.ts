import { limits } from '#contract/limits.ts';
import { recordingStateOf, type RecordingState } from '#web/recordings/state/recording-state.ts';
import { withTransfer, type Transfer } from '#web/recordings/state/transfers.ts';
import type { TakeRecord } from '#device/takes/take-record.ts';
import { deviceFactsOf, type TakeViewer } from '#web/features/recording/local/local-take.ts';

/** A recording on this device, as the list of what is kept shows it. */
export interface DeviceTake {
  id: string;
  title: string;
  startedAtMs: number;
  durationMs: number;
  sizeBytes: number;
  state: RecordingState;
  /** When the copy is removed by itself; null for what the server does not have. */
  keptUntilMs: number | null;
}

/** A number of recordings of which nothing more is told. */
interface KeptCount {
  count: number;
  sizeBytes: number;
}

export interface KeptFacts {
  takes: readonly DeviceTake[];
  trashed: KeptCount;
  /** Of other people who use this device: how many and how large, and nothing else. */
  others: KeptCount;
  /**
   * All that Earshot stores on this device: recordings of everyone, and copies of files that are being
   * imported.
   */
  usedBytes: number;
}

interface DeviceTakeViewer extends TakeViewer {
  transfers: ReadonlyMap<string, Transfer>;
}

function stateOf(record: TakeRecord, viewer: DeviceTakeViewer): RecordingState {
  const device = withTransfer(deviceFactsOf(record, viewer), viewer.transfers.get(record.id));
  return recordingStateOf({ server: null, device }) ?? 'device';
}

function keptTakeOf(record: TakeRecord, viewer: DeviceTakeViewer): DeviceTake {
  const { id, title, startedAtMs, durationMs, sizeBytes, receiptAtMs } = record;
  return {
    id,
    title,
    startedAtMs,
    durationMs,
    sizeBytes,
    state: stateOf(record, viewer),
    keptUntilMs: receiptAtMs === null ? null : receiptAtMs + limits.localCopyKeptMs,
  };
}

const countOf = (records: readonly TakeRecord[]): KeptCount => ({
  count: records.length,
  sizeBytes: records.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
});

/**
 * What this device keeps, for the person in front of it: the takes of nobody and their own by name, newest
 * first, those of other people as a number.
 */
export function keptFactsOf(
  records: readonly TakeRecord[],
  viewer: DeviceTakeViewer,
  importBytes = 0,
): KeptFacts {
  const isTheirs = ({ ownerId }: TakeRecord) => ownerId === null || ownerId === viewer.userId;
  const mine = records.filter(isTheirs);
  return {
    takes: mine
      .filter(({ deletedAtMs }) => deletedAtMs === null)
      .map((record) => keptTakeOf(record, viewer))
      .toSorted((a, b) => b.startedAtMs - a.startedAtMs),
    trashed: countOf(mine.filter(({ deletedAtMs }) => deletedAtMs !== null)),
    usedBytes: importBytes + countOf(records).sizeBytes,
    others: countOf(records.filter((record) => !isTheirs(record))),
  };
}
