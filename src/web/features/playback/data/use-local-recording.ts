import { useEffect, useMemo, useState } from 'react';
import { localPeaks } from '../peaks/local-peaks.ts';
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
  const takeId = take?.id ?? null;
  // A take that is being written is opened as it is now, and once more when it is whole.
  const isWhole = take?.state === 'stopped';
  const [opened, setOpened] = useState<OpenedFile | null>(null);
  useEffect(() => (takeId === null ? undefined : openFile(files, takeId, setOpened)), [files, takeId, isWhole]);
  const peaks = useMemo(() => (takeId === null ? null : localPeaks(takeId, () => files.peaks(takeId))), [files, takeId, isWhole]);
  const url = opened?.takeId === takeId ? opened?.url ?? null : null;
  const recording = useMemo(() => {
    if (!take || !peaks || url === null) return null;
    const { id, title, startedAtMs, timeZone, durationMs, deviceLabel, markers, sampleRateHz, channels, safety } = take;
    const format = { codec: 'opus', sampleRateHz, channels };
    return {
      id, title, startedAtMs, timeZone, durationMs, deviceLabel, markers, format, peaks, language: null, sizeBytes: take.sizeBytes, sha256: null,
      state: safety === 'device' ? 'device' as const : 'syncing' as const, segments: 1, gaps: noGaps, audioUrl: url, downloadUrl: url,
    };
  }, [take, peaks, url]);
  return { recording, error: opened?.error ?? null };
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
