import { momentOf, type RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { foldForSearch } from '#base/text.ts';
import { isUnheard, type Recording } from '#contract/recordings.ts';

/** What a row needs of a take on this device. */
export interface LocalTakeFacts {
  id: string;
  title: string;
  startedAtMs: number;
  timeZone: string;
  durationMs: number;
  markers: readonly unknown[];
  state: 'recording' | 'interrupted' | 'stopped';
  safety: 'device' | 'syncing' | 'server';
}

export type RowState = Recording['state'] | 'device' | 'syncing' | 'recording-here' | 'unheard';

export interface LibraryRow {
  id: string;
  title: string;
  recordedTime: RecordedTime;
  durationMs: number;
  state: RowState;
  language: string | null;
  /** Who is heard. */
  people: readonly string[];
  tagIds: readonly string[];
  markers: number;
  /** Up to 96 loudness values 0–127, base64. */
  overview: string | null;
  /** Kept by the server; else only this device has it. */
  isOnServer: boolean;
  /** What the server stores no longer has the hash of its receipt. */
  isDamaged: boolean;
}

/** The rows of recordings already met: ten thousand of them are not made anew when one of them changes. */
const made = new WeakMap<Recording, LibraryRow>();

function rowOfRecording(recording: Recording): LibraryRow {
  const known = made.get(recording);
  if (known) return known;
  const row = newRowOf(recording);
  made.set(recording, row);
  return row;
}

const newRowOf = (recording: Recording): LibraryRow => ({
  id: recording.id, title: recording.title, recordedTime: recording.recordedTime, durationMs: recording.durationMs,
  state: stateOfRecording(recording),
  language: recording.language, people: recording.people, tagIds: recording.tagIds, markers: recording.markerCount, overview: recording.overview, isOnServer: true, isDamaged: recording.damagedAt !== null,
});

function stateOfRecording(recording: Recording): RowState {
  if (isUnheard(recording)) return 'unheard';
  // A file that still arrives is nothing that is being recorded.
  return recording.source === 'import' && recording.state === 'receiving' ? 'syncing' : recording.state;
}

const rowOfTake = (take: LocalTakeFacts): LibraryRow => ({
  id: take.id, title: take.title, recordedTime: momentOf(new Date(take.startedAtMs).toISOString(), take.timeZone), durationMs: take.durationMs, state: stateOfTake(take),
  language: null, people: [], tagIds: [], markers: take.markers.length, overview: null, isOnServer: false, isDamaged: false,
});

function stateOfTake({ state, safety }: LocalTakeFacts): RowState {
  if (state === 'recording') return 'recording-here';
  return safety === 'device' ? 'device' : 'syncing';
}

export interface RowSources {
  takes: readonly LocalTakeFacts[];
  recordings: readonly Recording[];
  search: string;
  /** Whether anything but the search leaves recordings out; takes that are not yet on the server are then left out. */
  isFiltered: boolean;
  /** The server's list is there; without it the copies on this device stand in for what the server has. */
  hasServerList: boolean;
}

/** Takes that only this device has, then what the server has: each recording once. Filters are for what the server knows of a recording. */
export function rowsOf({ takes, recordings, search, isFiltered, hasServerList }: RowSources): LibraryRow[] {
  const onServer = new Set(recordings.map(({ id }) => id));
  const wanted = foldForSearch(search);
  const local = (isFiltered ? [] : takes)
    .filter((take) => !onServer.has(take.id) && (take.safety !== 'server' || !hasServerList))
    .filter((take) => foldForSearch(take.title).includes(wanted));
  return [...local.map(rowOfTake), ...recordings.map(rowOfRecording)];
}
