import { foldForSearch } from '#base/text.ts';
import type { Recording, RecordingPage } from '#contract/recordings.ts';

/** What a row needs of a take on this device. */
export interface LocalTakeFacts {
  id: string;
  title: string;
  startedAtMs: number;
  durationMs: number;
  markers: readonly unknown[];
  state: 'recording' | 'interrupted' | 'stopped';
  safety: 'device' | 'syncing' | 'server';
}

export type RowState = Recording['state'] | 'device' | 'syncing' | 'recording-here';

export interface LibraryRow {
  id: string;
  title: string;
  startedAtMs: number;
  durationMs: number;
  state: RowState;
  language: string | null;
  markers: number;
  /** Up to 96 loudness values 0–127, base64. */
  overview: string | null;
  /** Kept by the server; else only this device has it. */
  isOnServer: boolean;
}

/** The recordings of all pages in order, each once: a page may overlap the one before when something was recorded in between. */
export function flattenPages(pages: readonly RecordingPage[]): Recording[] {
  return [...new Map(pages.flatMap(({ items }) => items).map((recording) => [recording.id, recording])).values()];
}

const rowOfRecording = (recording: Recording): LibraryRow => ({
  id: recording.id, title: recording.title, startedAtMs: Date.parse(recording.startedAt), durationMs: recording.durationMs, state: recording.state,
  language: recording.language, markers: recording.markerCount, overview: recording.overview, isOnServer: true,
});

const rowOfTake = (take: LocalTakeFacts): LibraryRow => ({
  id: take.id, title: take.title, startedAtMs: take.startedAtMs, durationMs: take.durationMs, state: stateOfTake(take),
  language: null, markers: take.markers.length, overview: null, isOnServer: false,
});

function stateOfTake({ state, safety }: LocalTakeFacts): RowState {
  if (state === 'recording') return 'recording-here';
  return safety === 'device' ? 'device' : 'syncing';
}

export interface RowSources {
  takes: readonly LocalTakeFacts[];
  recordings: readonly Recording[];
  search: string;
  /** The server's list is there; without it the copies on this device stand in for what the server has. */
  hasServerList: boolean;
}

/** Takes that only this device has, then what the server has: each recording once. */
export function rowsOf({ takes, recordings, search, hasServerList }: RowSources): LibraryRow[] {
  const onServer = new Set(recordings.map(({ id }) => id));
  const wanted = foldForSearch(search);
  const local = takes
    .filter((take) => !onServer.has(take.id) && (take.safety !== 'server' || !hasServerList))
    .filter((take) => foldForSearch(take.title).includes(wanted));
  return [...local.map(rowOfTake), ...recordings.map(rowOfRecording)];
}
