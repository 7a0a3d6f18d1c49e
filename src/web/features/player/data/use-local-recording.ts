import { useEffect, useMemo, useState } from 'react';
import { momentOf } from '#base/recorded-time/recorded-time.ts';
import { summarizeGaps } from '#contract/gap-summary.ts';
import { takeStateOf, type DeviceTake } from '#device/takes/device-take.ts';
import { localPeaks } from '#web/features/player/peaks/local-peaks.ts';
import type { PeaksSource } from '#web/features/player/peaks/peaks-source.ts';
import type { PlayableRecording } from '#web/features/player/playable-recording.ts';
import { releaseAfterPlaying } from '#web/features/player/engine/release-after-playing.ts';
import { openLocalFile, type OpenedFile, type LocalTakeFiles } from './open-local-file.ts';

export interface LocalRecording {
  recording: PlayableRecording | null;
  error: unknown;
}

type Opened = { takeId: string } & ({ file: OpenedFile } | { file: null; error: unknown });

const noReceipts: PlayableRecording['segments'] = [];
const noTracks: PlayableRecording['audioTracks'] = [];

/** A take on this device in the shape the player needs. Works offline and without an account. */
export function useLocalRecording(take: DeviceTake | null, files: LocalTakeFiles): LocalRecording {
  const { takeId, edition } = editionOf(take);
  const [opened, setOpened] = useState<Opened | null>(null);
  useEffect(
    () => (takeId === null ? undefined : openFile(files, takeId, setOpened)),
    [files, takeId, edition],
  );
  const peaks = useMemo(
    () => (takeId === null ? null : localPeaks({ takeId, edition }, () => files.peaks(takeId))),
    [files, takeId, edition],
  );
  // Its object URLs are revoked: the same take may be needed again.
  if (takeId === null && opened !== null) setOpened(null);
  const current = opened?.takeId === takeId ? opened : null;
  const file = current?.file ?? null;
  const recording = useMemo(
    () => (take && peaks && file ? playable(take, peaks, file) : null),
    [take, peaks, file],
  );
  return { recording, error: current?.file === null ? current.error : null };
}

/** The audio file is reopened once the take has stopped: until then it holds only the part recorded so far. */
function editionOf(take: DeviceTake | null): { takeId: string | null; edition: 'growing' | 'whole' } {
  return { takeId: take?.id ?? null, edition: take?.state === 'stopped' ? 'whole' : 'growing' };
}

function playable(
  take: DeviceTake,
  peaks: PeaksSource,
  { url, sections, audio, isPartlySilent, microphoneSilenceMs }: OpenedFile,
): PlayableRecording {
  const {
    id,
    title,
    startedAtMs,
    timeZone,
    durationMs: knownMs,
    deviceLabel,
    markers,
    notes: notesHere,
    gaps,
    pauses,
    sampleRateHz,
    channels,
    sizeBytes,
  } = take;
  // 0 makes the player use the length of the audio element.
  const durationMs = knownMs ?? 0;
  const { silentMs } = summarizeGaps(gaps);
  return {
    id,
    title,
    recordedTime: momentOf(new Date(startedAtMs).toISOString(), timeZone),
    durationMs,
    deviceLabel,
    markers,
    notesHere,
    peaks,
    sizeBytes,
    isFavourite: false,
    language: null,
    sha256: null,
    format: { codec: 'opus', sampleRateHz, channels },
    state: 'device',
    shownState: takeStateOf(take),
    segments: noReceipts,
    gaps,
    // The last one has no length while it lasts.
    breaks: pauses.filter((pause) => pause.durationMs > 0),
    passages: [],
    audioUrl: url,
    audioFile: audio,
    audioSections: sections,
    storedMs: Math.max(0, durationMs - silentMs),
    isDamaged: false,
    history: [],
    copyHereUntilMs: take.copyUntilMs,
    isPartlySilent,
    microphoneSilenceMs,
    isIncompleteImport: false,
    hasNoSound: false,
    failureReason: null,
    audioTracks: noTracks,
    channels: null,
    quieterByDb: null,
  };
}

/** Opens the audio file and returns a function that releases it, once the player doesn't play it any more. */
function openFile(files: LocalTakeFiles, takeId: string, onOpened: (opened: Opened) => void): () => void {
  let isWanted = true;
  let opened: OpenedFile | null = null;
  openLocalFile(files, takeId).then(
    (file) => {
      if (!isWanted) return file.release();
      opened = file;
      return onOpened({ takeId, file });
    },
    (error: unknown) => {
      if (isWanted) onOpened({ takeId, file: null, error });
    },
  );
  return () => {
    isWanted = false;
    if (opened) releaseAfterPlaying(opened.url, opened.release);
  };
}
