import { useEffect, useMemo, useState } from 'react';
import { momentOf } from '#base/recorded-time/recorded-time.ts';
import { limits } from '#contract/limits.ts';
import { recordingStateOf, type DeviceFacts } from '#web/recording-state/recording-state.ts';
import { localPeaks } from '../peaks/local-peaks.ts';
import type { PeaksSource } from '../peaks/peaks-source.ts';
import type { PlayableGap, PlayableMarker, PlayableRecording } from '../playable-recording.ts';

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
  notes: NonNullable<PlayableRecording['notesHere']>;
  gaps: readonly PlayableGap[];
  /** Until when the copy of what the server has is kept; null where the server does not have it. */
  copyKeptUntilMs: number | null;
  state: 'recording' | 'interrupted' | 'stopped';
  facts: DeviceFacts;
}

/** Where the bytes of takes on this device are read. */
export interface LocalTakeFiles {
  /** The sound as one file on one timeline, and whether silence stands for some of it. */
  audio(takeId: string): Promise<{ audio: Blob; isPartlySilent: boolean }>;
  /** The same in sections, each `limits.audioSectionMs` long; null where it is short enough to be played whole. */
  sections(takeId: string): Promise<Blob[] | null>;
  /** min, max, min, max… a hundred points a second. */
  peaks(takeId: string): Promise<Int8Array>;
}

export interface LocalRecording { recording: PlayableRecording | null; error: unknown }

interface OpenedFile { takeId: string; url: string; sectionUrls: readonly string[] | null; audio: Blob; isPartlySilent: boolean }
type Opened = OpenedFile | { takeId: string; url: null; error: unknown };

const noReceipts: PlayableRecording['segments'] = [];
const noTracks: PlayableRecording['audioTracks'] = [];

/** A take on this device as the player wants it; works without a server and without an account. */
export function useLocalRecording(take: LocalTakeFacts | null, files: LocalTakeFiles): LocalRecording {
  const { takeId, edition } = editionOf(take);
  const [opened, setOpened] = useState<Opened | null>(null);
  useEffect(() => (takeId === null ? undefined : openFile(files, takeId, setOpened)), [files, takeId, edition]);
  const peaks = useMemo(() => (takeId === null ? null : localPeaks({ takeId, edition }, () => files.peaks(takeId))), [files, takeId, edition]);
  const current = opened?.takeId === takeId ? opened : null;
  const file = current && current.url !== null ? current : null;
  const recording = useMemo(() => (take && peaks && file ? playable(take, peaks, file) : null), [take, peaks, file]);
  return { recording, error: current?.url === null ? current.error : null };
}

/** A take that is being written is opened as it is now, and once more when it is whole. */
function editionOf(take: LocalTakeFacts | null): { takeId: string | null; edition: 'growing' | 'whole' } {
  return { takeId: take?.id ?? null, edition: take?.state === 'stopped' ? 'whole' : 'growing' };
}

function playable(take: LocalTakeFacts, peaks: PeaksSource, { url, sectionUrls, audio, isPartlySilent }: OpenedFile): PlayableRecording {
  const { id, title, startedAtMs, timeZone, durationMs, deviceLabel, markers, notes: notesHere, gaps, sampleRateHz, channels, facts, sizeBytes } = take;
  const missingMs = gaps.reduce((total, gap) => total + gap.durationMs, 0);
  return {
    id, title, recordedTime: momentOf(new Date(startedAtMs).toISOString(), timeZone), durationMs, deviceLabel, markers, notesHere, peaks, sizeBytes, isFavourite: false, language: null, sha256: null,
    format: { codec: 'opus', sampleRateHz, channels }, state: 'device', shownState: recordingStateOf({ server: null, device: facts }) ?? 'device', segments: noReceipts, gaps, audioUrl: url, audioFile: audio,
    audioSections: sectionUrls && { eachMs: limits.audioSectionMs, urlOf: (section) => sectionUrls[section] ?? url },
    storedMs: Math.max(0, durationMs - missingMs), isDamaged: false, history: [], copyHereUntilMs: take.copyKeptUntilMs, isPartlySilent, isUnheard: false, failureReason: null, audioTracks: noTracks,
  };
}

/** Opens the audio file and gives its URLs back when they are no longer needed. */
function openFile(files: LocalTakeFiles, takeId: string, onOpened: (opened: Opened) => void): () => void {
  let isWanted = true;
  const urls: string[] = [];
  const urlOf = (file: Blob): string => {
    const url = URL.createObjectURL(file);
    urls.push(url);
    return url;
  };
  Promise.all([files.audio(takeId), files.sections(takeId)]).then(
    ([{ audio, isPartlySilent }, sections]) => {
      if (isWanted) onOpened({ takeId, url: urlOf(audio), sectionUrls: sections?.map(urlOf) ?? null, audio, isPartlySilent });
    },
    (error: unknown) => { if (isWanted) onOpened({ takeId, url: null, error }); },
  );
  return () => {
    isWanted = false;
    for (const url of urls) URL.revokeObjectURL(url);
  };
}
