import { limits } from '#contract/limits.ts';
import type { TakeRecord } from '#workers/encode/take-record.ts';

/** Where a take is: only on this device, on its way to the server, on the server too, or being recorded now. */
export type KeptState = 'device' | 'syncing' | 'server' | 'recording';

/** A recording on this device, as the list of what is kept shows it. */
export interface KeptTake {
  id: string;
  title: string;
  startedAtMs: number;
  durationMs: number;
  sizeBytes: number;
  state: KeptState;
  /** When the copy is removed by itself; null for what the server does not have. */
  keptUntilMs: number | null;
}

/** A number of recordings of which nothing more is told. */
interface KeptCount { count: number; sizeBytes: number }

export interface KeptFacts {
  takes: readonly KeptTake[];
  trashed: KeptCount;
  /** Of other people who use this device: how many and how large, and nothing else. */
  others: KeptCount;
}

function stateOf(record: TakeRecord, heldTakeIds: ReadonlySet<string>): KeptState {
  if (record.state === 'recording' && heldTakeIds.has(record.id)) return 'recording';
  if (record.receiptAtMs !== null) return 'server';
  return record.ownerId === null ? 'device' : 'syncing';
}

function keptTakeOf(record: TakeRecord, heldTakeIds: ReadonlySet<string>): KeptTake {
  const { id, title, startedAtMs, durationMs, sizeBytes, receiptAtMs } = record;
  return {
    id, title, startedAtMs, durationMs, sizeBytes, state: stateOf(record, heldTakeIds),
    keptUntilMs: receiptAtMs === null ? null : receiptAtMs + limits.localCopyKeptMs,
  };
}

const countOf = (records: readonly TakeRecord[]): KeptCount => ({ count: records.length, sizeBytes: records.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) });

/**
 * What this device keeps, for the person in front of it: the takes of nobody and their own by name, newest first,
 * those of other people as a number.
 */
export function keptFactsOf(records: readonly TakeRecord[], beholder: { userId: string | null; heldTakeIds: ReadonlySet<string> }): KeptFacts {
  const isTheirs = ({ ownerId }: TakeRecord) => ownerId === null || ownerId === beholder.userId;
  const mine = records.filter(isTheirs);
  return {
    takes: mine.filter(({ deletedAtMs }) => deletedAtMs === null).map((record) => keptTakeOf(record, beholder.heldTakeIds)).toSorted((a, b) => b.startedAtMs - a.startedAtMs),
    trashed: countOf(mine.filter(({ deletedAtMs }) => deletedAtMs !== null)),
    others: countOf(records.filter((record) => !isTheirs(record))),
  };
}
