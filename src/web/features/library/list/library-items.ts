import { momentOf, type RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { takeStateOf, type DeviceTake } from '#device/takes/device-take.ts';
import { foldForSearch } from '#base/text.ts';
import type { ListedRecording, SearchHit } from '#contract/recordings.ts';
import { readerMs } from '#web/recordings/time/reader-time.ts';
import {
  importFactsOf,
  recordingStateOf,
  serverFactsOf,
  type DeviceFacts,
  type RecordingState,
  withTransfer,
  type Transfer,
} from '#device/takes/recording-state.ts';

/** The part of a take on this device that a row shows. */
export type ListedTake = Pick<
  DeviceTake,
  'id' | 'title' | 'startedAtMs' | 'timeZone' | 'durationMs' | 'state' | 'facts'
> & { markers: readonly unknown[] };

export interface LibraryItem {
  id: string;
  title: string;
  recordedTime: RecordedTime;
  durationMs: number;
  state: RecordingState;
  language: string | null;
  /** Who is heard. */
  people: readonly string[];
  tagIds: readonly string[];
  isFavourite: boolean;
  markers: number;
  /** Up to 96 loudness values 0–127, base64. */
  overview: string | null;
  /** Kept by the server; else only this device has it. */
  isOnServer: boolean;
  /** What the server stores no longer has the hash of its receipt. */
  isDamaged: boolean;
  /** The server can't be reached, and this device has no copy to play. */
  isUnavailable: boolean;
  /** The server can't be reached: what only the server can do fails now. */
  isAway: boolean;
  /** The text by which the search found it; null without a search. */
  hit: SearchHit | null;
}

/**
 * The rows of recordings that only the server has, by recording: ten thousand of them are not built again
 * when one of them changes.
 */
const made = new WeakMap<ListedRecording, LibraryItem>();

function rowOfRecording(recording: ListedRecording): LibraryItem {
  const known = made.get(recording);
  if (known) return known;
  const row = newRowOf(recording);
  made.set(recording, row);
  return row;
}

const newRowOf = (recording: ListedRecording): LibraryItem => ({
  id: recording.id,
  title: recording.title,
  recordedTime: recording.recordedTime,
  durationMs: recording.durationMs,
  state: recordingStateOf({ server: serverFactsOf(recording), device: null }) ?? 'server',
  language: recording.language,
  people: recording.people,
  tagIds: recording.tagIds,
  isFavourite: recording.isFavourite,
  markers: recording.markerCount,
  overview: recording.overview,
  isOnServer: true,
  isDamaged: recording.damagedAt !== null,
  isUnavailable: false,
  isAway: false,
  hit: recording.hit ?? null,
});

/**
 * A recording that this device has bytes of too, or that was listed at an earlier visit: the server’s word
 * alone doesn’t decide its state.
 */
function rowOfBoth(recording: ListedRecording, device: DeviceFacts | null, isCurrent: boolean): LibraryItem {
  const row = rowOfRecording(recording);
  const state = recordingStateOf({ server: serverFactsOf(recording, isCurrent), device }) ?? row.state;
  return state === row.state ? row : { ...row, state };
}

const rowOfTake = (take: ListedTake, facts: DeviceFacts): LibraryItem => ({
  id: take.id,
  title: take.title,
  recordedTime: momentOf(new Date(take.startedAtMs).toISOString(), take.timeZone),
  durationMs: take.durationMs,
  state: takeStateOf({ facts }),
  language: null,
  people: [],
  tagIds: [],
  isFavourite: false,
  markers: take.markers.length,
  overview: null,
  isOnServer: false,
  isDamaged: false,
  isUnavailable: false,
  isAway: false,
  hit: null,
});

/**
 * Sorts by the reader's clock, whose days are the headings, with unknown times last: a day would have two
 * headings where times without a zone stood among others.
 */
function sortedByTime(rows: readonly LibraryItem[], order: 'newest' | 'oldest'): LibraryItem[] {
  const direction = order === 'newest' ? -1 : 1;
  const keyOf = ({ recordedTime }: LibraryItem) =>
    recordedTime.kind === 'unknown' ? Number.MAX_SAFE_INTEGER : direction * readerMs(recordedTime);
  const keys = new Map(rows.map((row) => [row, keyOf(row)]));
  return rows.toSorted((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
}

export interface LibrarySources {
  takes: readonly ListedTake[];
  recordings: readonly ListedRecording[];
  /** What this page's workers say about the bytes of takes and imports. */
  transfers: ReadonlyMap<string, Transfer>;
  search: string;
  /**
   * Whether anything but the search leaves recordings out; takes that are not yet on the server are then left
   * out.
   */
  isFiltered: boolean;
  /** The server's list is there; without it the copies on this device stand in for what the server has. */
  hasServerList: boolean;
  /** The list that was shown last, which stands in where the server can't be asked. */
  lastList?: readonly ListedRecording[];
  /** The server can't be reached: what only it has can't be played now. */
  isAway?: boolean;
  /**
   * How the list is sorted by time; null for another order. Rows of this device are sorted in by time, else
   * they stand first.
   */
  byTime?: 'newest' | 'oldest' | null;
}

/**
 * Takes that only this device has, then what the server has: each recording once. Filters are for what the
 * server knows of a recording.
 */
export function libraryItemsOf({
  takes,
  recordings,
  transfers,
  search,
  isFiltered,
  hasServerList,
  lastList = [],
  isAway = false,
  byTime = null,
}: LibrarySources): LibraryItem[] {
  const wanted = foldForSearch(search);
  const isOfBefore = !hasServerList && isAway && !isFiltered;
  const listed = isOfBefore
    ? lastList.filter(({ title }) => foldForSearch(title).includes(wanted))
    : recordings;
  const onServer = new Set(listed.map(({ id }) => id));
  const local = (isFiltered ? [] : takes)
    .filter((take) => !onServer.has(take.id) && (take.facts.receipt !== 'whole' || !hasServerList))
    .filter((take) => foldForSearch(take.title).includes(wanted));
  const factsOf = (take: ListedTake) => withTransfer(take.facts, transfers.get(take.id));
  const facts = new Map(takes.map((take) => [take.id, factsOf(take)]));
  const rows = [
    ...local.map((take) => rowOfTake(take, factsOf(take))),
    ...listed.map((recording) => {
      const device = facts.get(recording.id) ?? importFactsOf(transfers.get(recording.id));
      const row =
        device === null && !isOfBefore
          ? rowOfRecording(recording)
          : rowOfBoth(recording, device, !isOfBefore);
      return isAway ? { ...row, isAway, isUnavailable: !facts.has(recording.id) } : row;
    }),
  ];
  return byTime === null ? rows : sortedByTime(rows, byTime);
}
