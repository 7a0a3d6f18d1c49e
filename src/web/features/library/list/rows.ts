import { momentOf, type RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { foldForSearch } from '#base/text.ts';
import type { Recording } from '#contract/recordings.ts';
import { importFactsOf, recordingStateOf, serverFactsOf, type DeviceFacts, type RecordingState } from '#web/recording-state/recording-state.ts';
import { withTransfer, type Transfer } from '#web/recording-state/transfers.ts';

/** What a row needs of a take on this device. */
export interface LocalTakeFacts {
  id: string;
  title: string;
  startedAtMs: number;
  timeZone: string;
  durationMs: number;
  markers: readonly unknown[];
  state: 'recording' | 'interrupted' | 'stopped';
  facts: DeviceFacts;
}

export interface LibraryRow {
  id: string;
  title: string;
  recordedTime: RecordedTime;
  durationMs: number;
  state: RecordingState;
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

/** The rows of recordings that only the server has, by recording: ten thousand of them are not built again when one of them changes. */
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
  state: recordingStateOf({ server: serverFactsOf(recording), device: null }) ?? 'server',
  language: recording.language, people: recording.people, tagIds: recording.tagIds, markers: recording.markerCount, overview: recording.overview, isOnServer: true, isDamaged: recording.damagedAt !== null,
});

/** A recording that this device has bytes of too: the device may know more of it. */
function rowOfBoth(recording: Recording, device: DeviceFacts): LibraryRow {
  const row = rowOfRecording(recording);
  const state = recordingStateOf({ server: serverFactsOf(recording), device }) ?? row.state;
  return state === row.state ? row : { ...row, state };
}

const rowOfTake = (take: LocalTakeFacts, device: DeviceFacts): LibraryRow => ({
  id: take.id, title: take.title, recordedTime: momentOf(new Date(take.startedAtMs).toISOString(), take.timeZone), durationMs: take.durationMs, state: recordingStateOf({ server: null, device }) ?? 'device',
  language: null, people: [], tagIds: [], markers: take.markers.length, overview: null, isOnServer: false, isDamaged: false,
});

export interface RowSources {
  takes: readonly LocalTakeFacts[];
  recordings: readonly Recording[];
  /** What this page's workers say about the bytes of takes and imports. */
  transfers: ReadonlyMap<string, Transfer>;
  search: string;
  /** Whether anything but the search leaves recordings out; takes that are not yet on the server are then left out. */
  isFiltered: boolean;
  /** The server's list is there; without it the copies on this device stand in for what the server has. */
  hasServerList: boolean;
}

/** Takes that only this device has, then what the server has: each recording once. Filters are for what the server knows of a recording. */
export function rowsOf({ takes, recordings, transfers, search, isFiltered, hasServerList }: RowSources): LibraryRow[] {
  const onServer = new Set(recordings.map(({ id }) => id));
  const wanted = foldForSearch(search);
  const local = (isFiltered ? [] : takes)
    .filter((take) => !onServer.has(take.id) && (take.facts.receipt !== 'whole' || !hasServerList))
    .filter((take) => foldForSearch(take.title).includes(wanted));
  const factsOf = (take: LocalTakeFacts) => withTransfer(take.facts, transfers.get(take.id));
  const facts = new Map(takes.map((take) => [take.id, factsOf(take)]));
  return [
    ...local.map((take) => rowOfTake(take, factsOf(take))),
    ...recordings.map((recording) => {
      const device = facts.get(recording.id) ?? importFactsOf(transfers.get(recording.id));
      return device === null ? rowOfRecording(recording) : rowOfBoth(recording, device);
    }),
  ];
}
