import { useEffect, useMemo, useState } from 'react';
import { localPeaks } from '../peaks/local-peaks.ts';
import type { PeaksSource } from '../peaks/peaks-source.ts';
import type { PlayableMarker, PlayableRecording } from '../playable-recording.ts';

/** A take on this device, as plain facts. */
export interface LocalTakeFacts {
  id: string;
  title: string;
  startedAtMs: number;
  timeZone: string;
  durationMs: number;
  sizeBytes: number;
  sampleRateHz: number;
  channels: number;
  deviceLabel: string | null;
  markers: readonly PlayableMarker[];
  state: 'recording' | 'interrupted' | 'stopped';
  safety: 'device' | 'syncing' | 'server';
}

/** Where the bytes of takes on this device are read. */
export interface LocalTakeFiles {
  /** An object URL of the audio; the caller revokes it. */
  audioUrl(takeId: string): Promise<string>;
  /** min, max, min, max… a hundred points a second. */
  peaks(takeId: string): Promise<Int8Array>;
}

export interface LocalRecording { recording: PlayableRecording | null; error: unknown }

interface OpenedFile { takeId: string; url: string | null; error: unknown }

const noGaps: PlayableRecording['gaps'] = [];

/** A take on this device as the player wants it; works without a server and without an account. */
export function useLocalRecording(take: LocalTakeFacts | null, files: LocalTakeFiles): LocalRecording {
  const { takeId, edition } = editionOf(take);
  const [opened, setOpened] = useState<OpenedFile | null>(null);
  useEffect(() => (takeId === null ? undefined : openFile(files, takeId, setOpened)), [files, takeId, edition]);
  const peaks = useMemo(() => (takeId === null ? null : localPeaks({ takeId, edition }, () => files.peaks(takeId))), [files, takeId, edition]);
  const current = opened?.takeId === takeId ? opened : null;
  const url = current?.url ?? null;
  const recording = useMemo(() => (take && peaks && url !== null ? playable(take, { peaks, url }) : null), [take, peaks, url]);
  return { recording, error: current?.error ?? null };
}

/** A take that is being written is opened as it is now, and once more when it is whole. */
function editionOf(take: LocalTakeFacts | null): { takeId: string | null; edition: 'growing' | 'whole' } {
  return { takeId: take?.id ?? null, edition: take?.state === 'stopped' ? 'whole' : 'growing' };
}

function playable(take: LocalTakeFacts, { peaks, url }: { peaks: PeaksSource; url: string }): PlayableRecording {
  const { id, title, startedAtMs, timeZone, durationMs, deviceLabel, markers, sampleRateHz, channels, safety, sizeBytes } = take;
  return {
    id, title, startedAtMs, timeZone, durationMs, deviceLabel, markers, peaks, sizeBytes, language: null, sha256: null,
    format: { codec: 'opus', sampleRateHz, channels }, state: safety === 'device' ? 'device' : 'syncing', segments: 1, gaps: noGaps, audioUrl: url, downloadUrl: url,
  };
}

/** Opens the audio file and gives its URL back when nobody needs it any more. */
function openFile(files: LocalTakeFiles, takeId: string, onOpened: (opened: OpenedFile) => void): () => void {
  let isWanted = true;
  let url: string | null = null;
  files.audioUrl(takeId).then(
    (opened) => {
      url = opened;
      if (isWanted) onOpened({ takeId, url, error: null });
      else URL.revokeObjectURL(opened);
    },
    (error: unknown) => { if (isWanted) onOpened({ takeId, url: null, error }); },
  );
  return () => {
    isWanted = false;
    if (url !== null) URL.revokeObjectURL(url);
  };
}
