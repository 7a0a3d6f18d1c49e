import { momentOf, type RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { isAheadOfServer, lengthOfBoth, takeStateOf, type DeviceTake } from '#device/takes/device-take.ts';
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

/** The fields of a take on this device that a row shows. */
export type ListedTake = Pick<
  DeviceTake,
  'id' | 'title' | 'startedAtMs' | 'timeZone' | 'durationMs' | 'state' | 'facts'
> & { markers: readonly unknown[] };

export interface LibraryItem {
  id: string;
  title: string;
  recordedTime: RecordedTime;
  /** Null if it is not known yet. */
  durationMs: number | null;
  state: RecordingState;
  language: string | null;
  /** The speakers. */
  people: readonly string[];
  tagIds: readonly string[];
  isFavourite: boolean;
  markers: number;
  /** Up to 96 loudness values 0–127, base64. */
  overview: string | null;
  /** Whether the server has the recording; otherwise only this device has it. */
  isOnServer: boolean;
  /** This device has all of it, the server only a part. */
  isAhead: boolean;
  /** The stored audio no longer matches the hash of its receipt. */
  isDamaged: boolean;
  /** The server can't be reached, and this device has no copy to play. */
  isUnavailable: boolean;
  /** The server can't be reached, so actions that need it fail. */
  isAway: boolean;
  /** The text that matched the search; null without a search. */
  hit: SearchHit | null;
}

/**
 * Cache of the rows of recordings that only the server has, so that a change of one does not rebuild ten thousand.
 */
const rowCache = new WeakMap<ListedRecording, LibraryItem>();

function rowOfRecording(recording: ListedRecording): LibraryItem {
  const known = rowCache.get(recording);
  if (known) return known;
  const row = newRowOf(recording);
  rowCache.set(recording, row);
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
  isAhead: false,
  isDamaged: recording.damagedAt !== null,
  isUnavailable: false,
  isAway: false,
  hit: recording.hit ?? null,
});

interface OnThisDevice {
  facts: DeviceFacts | null;
  /** Undefined if this device has only a file that it imports. */
  take: ListedTake | undefined;
}

/**
 * A row for a recording that also has bytes on this device, or that comes from the cached list of an earlier
 * visit. The server's facts alone do not determine its state and length.
 * @param isFromEarlierVisit the list is the cached one
 * @param isAway the server can't be reached, so what it said may have changed
 */
function rowOfBoth(
  recording: ListedRecording,
  { facts, take }: OnThisDevice,
  { isFromEarlierVisit, isAway }: { isFromEarlierVisit: boolean; isAway: boolean },
): LibraryItem {
  const row = rowOfRecording(recording);
  const server = serverFactsOf(recording, !isFromEarlierVisit);
  const state = recordingStateOf({ server, device: facts }) ?? row.state;
  const there = { durationMs: recording.durationMs, isGrowing: recording.state === 'receiving' };
  const isAhead = take !== undefined && isAheadOfServer(there, take);
  const durationMs = take ? lengthOfBoth(there, take, !isFromEarlierVisit && !isAway) : row.durationMs;
  const isSame = state === row.state && durationMs === row.durationMs && !isAhead;
  return isSame ? row : { ...row, state, durationMs, isAhead };
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
  isAhead: false,
  isDamaged: false,
  isUnavailable: false,
  isAway: false,
  hit: null,
});

/**
 * Sorts by the reader's local time, unknown times last. The headings are local days, so sorting times without a
 * time zone differently would show a day twice.
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
  /** The transfer states of takes and imports that this page's workers report. */
  transfers: ReadonlyMap<string, Transfer>;
  search: string;
  /** Whether filters other than the search are set. Takes that are not yet on the server are then left out. */
  isFiltered: boolean;
  /** Whether the server's list has loaded. Without it, copies on this device are listed instead. */
  hasServerList: boolean;
  /** The list shown last, used when the server can't be reached. */
  lastList?: readonly ListedRecording[];
  /** The server can't be reached, so recordings that only it has can't be played. */
  isAway?: boolean;
  /**
   * The direction if the list is sorted by time; null for another order. Takes on this device are then listed
   * first instead of sorted in.
   */
  byTime?: 'newest' | 'oldest' | null;
}

/**
 * Rows for the takes that only this device has, followed by the server's recordings, each recording once. Filters
 * apply only to recordings on the server.
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
  const usesLastList = !hasServerList && isAway && !isFiltered;
  const listed = usesLastList
    ? lastList.filter(({ title }) => foldForSearch(title).includes(wanted))
    : recordings;
  const onServer = new Set(listed.map(({ id }) => id));
  const local = (isFiltered ? [] : takes)
    .filter((take) => !onServer.has(take.id) && (take.facts.receipt !== 'whole' || !hasServerList))
    .filter((take) => foldForSearch(take.title).includes(wanted));
  const factsOf = (take: ListedTake) => withTransfer(take.facts, transfers.get(take.id));
  const byId = new Map(takes.map((take) => [take.id, take]));
  const rows = [
    ...local.map((take) => rowOfTake(take, factsOf(take))),
    ...listed.map((recording) => {
      const take = byId.get(recording.id);
      const facts = take ? factsOf(take) : importFactsOf(transfers.get(recording.id));
      const row =
        facts === null && !usesLastList
          ? rowOfRecording(recording)
          : rowOfBoth(recording, { facts, take }, { isFromEarlierVisit: usesLastList, isAway });
      return isAway ? { ...row, isAway, isUnavailable: !take } : row;
    }),
  ];
  return byTime === null ? rows : sortedByTime(rows, byTime);
}
