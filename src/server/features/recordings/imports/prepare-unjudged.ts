import { minHoleMs } from '#audio/min-hole.ts';
import { maxSilenceMs, maxSoundMsOf } from '#base/numbers/untrusted-numbers.ts';
import { type Format, isPlayable } from '#contract/formats.ts';
import { withStoredFile } from '#server/features/recordings/media/ffmpeg-input-of.ts';
import { gapsOf } from './file-facts.ts';
import { formatOfTrack } from './format-of-track.ts';
import { measureSound } from './measure-sound.ts';
import { unfinishedPeaks } from '#server/features/recordings/remux/made-peaks.ts';
import type { RemuxOutcome } from '#server/features/recordings/remux/segment-remuxer.ts';
import type { ImportTask, PreparedImport, PrepareImportDeps } from './prepared-import.ts';
import { playedDemuxerOf, withPlayedFile } from './played-file.ts';
import type { Measured, Probed } from './probe-file.ts';

type Sound = Extract<Probed, { kind: 'sound' }>;
interface Measuring {
  sound: Sound;
  measured: Measured;
}

/** Obstacles that our own repacking removes. */
const repairable = new Set(['varying-rate', 'late-start', 'no-length', 'no-index']);

/** Makes a rendition by decoding, for a file of which only the format is known. */
async function decode(
  deps: PrepareImportDeps,
  task: ImportTask,
  { format, demuxer }: { format: Format; demuxer?: string },
): Promise<PreparedImport> {
  const chosen = { track: 0, latestMs: 0, ...(demuxer === undefined ? {} : { demuxer }) };
  const { segment, outcome, hasAbsurdTimes } = await deps.remuxOne(task.file, {
    make: 'ogg-by-decoding',
    wantsPeaks: task.wantsPeaks,
    signal: task.signal,
    chosen,
  });
  if (outcome === 'undecodable') return { kind: 'rejected', reason: 'damaged' };
  return {
    kind: 'audio',
    segments: await withPlayedFile(deps.blobs, { segments: task.segments, file: segment }),
    format,
    durationMs: null,
    rendition: outcome === 'ffmpeg-missing' ? 'failed' : 'ready',
    hasAbsurdTimes,
    judgement: null,
    gaps: [],
  };
}

/**
 * Makes peaks of a file that is played as it is if the device sent none: from its packets if they are Opus,
 * otherwise with ffmpeg if it is installed.
 */
async function makePeaks(deps: PrepareImportDeps, task: ImportTask, sound: Sound): Promise<void> {
  const { file, signal } = task;
  if (sound.format.codec === 'opus' && sound.format.channels <= 2) {
    await deps.remuxOne(file, { make: 'peaks', wantsPeaks: true, signal });
    return;
  }
  const program = await deps.findFfmpeg();
  if (program === null) return;
  const peaks = await unfinishedPeaks(deps.blobs, file);
  try {
    const bounds = {
      track: 0,
      channels: sound.format.channels,
      latestMs: 0,
      maxMs: maxSoundMsOf(file.sizeBytes),
      signal,
      storePeaks: peaks.append,
    };
    await withStoredFile(deps.blobs, { blobKey: file.blobKey, ...playedDemuxerOf(sound) }, (input) =>
      measureSound(program, { input, ...bounds }),
    );
    await peaks.finish();
  } finally {
    await peaks.discard();
  }
}

/** What most readers misread in WAV. A copy needs no ffmpeg. */
const misreadWav = new Set(['layout', 'no-length', 'cut-short']);
const couldRepack = ({ format: { codec, channels } }: Sound): boolean => codec === 'opus' && channels <= 2;
const isDone = (outcome: RemuxOutcome): boolean => outcome === 'remuxed' || outcome === 'transcoded';

async function asItIs(
  deps: PrepareImportDeps,
  task: ImportTask,
  { sound, measured: { durationMs, hasAbsurdTimes } }: Measuring,
): Promise<PreparedImport> {
  if (task.wantsPeaks) await makePeaks(deps, task, sound);
  return {
    kind: 'audio',
    segments: await withPlayedFile(deps.blobs, task),
    format: sound.format,
    durationMs: durationMs ?? sound.durationMs,
    rendition: 'none',
    hasAbsurdTimes,
    judgement: null,
    gaps: [],
  };
}

/**
 * Makes a rendition from the packets if they are Opus, otherwise by decoding. Returns null if neither is possible.
 */
async function makeRendition(
  deps: PrepareImportDeps,
  task: ImportTask,
  { sound, measured: { holes, packetsMs } }: Measuring,
): Promise<PreparedImport | null> {
  if (couldRepack(sound)) {
    const { segment, outcome, hasAbsurdTimes } = await deps.remuxOne(task.file, {
      make: 'ogg',
      wantsPeaks: task.wantsPeaks,
      signal: task.signal,
      chosen: {
        track: 0,
        latestMs: 0,
        filled: { minHoleMs, maxSilenceMs: maxSilenceMs(packetsMs ?? 0) },
      },
    });
    if (isDone(outcome))
      return {
        kind: 'audio',
        segments: await withPlayedFile(deps.blobs, { segments: task.segments, file: segment }),
        format: sound.format,
        durationMs: null,
        rendition: 'ready',
        hasAbsurdTimes,
        judgement: null,
        gaps: gapsOf(holes),
      };
  }
  const decoded = await decode(deps, task, { format: sound.format, ...playedDemuxerOf(sound) });
  return decoded.kind === 'rejected' || decoded.rendition === 'ready' ? decoded : null;
}

/** Copies samples that most readers misread behind a header that they read correctly. */
async function plainWav(
  deps: PrepareImportDeps,
  task: ImportTask,
  sound: Sound,
): Promise<PreparedImport | null> {
  const isMisread =
    sound.format.container === 'wav' && sound.stated.obstacles.some((obstacle) => misreadWav.has(obstacle));
  if (!isMisread) return null;
  const { segment, outcome } = await deps.remuxOne(task.file, {
    make: 'copy',
    wantsPeaks: false,
    signal: task.signal,
    chosen: { track: 0, latestMs: 0, copy: { container: 'wav', tracks: 1, untilMs: Infinity } },
  });
  if (!isDone(outcome)) return null;
  return {
    kind: 'audio',
    segments: await withPlayedFile(deps.blobs, { segments: task.segments, file: segment }),
    format: sound.format,
    durationMs: sound.stated.lengthsMs[0] ?? null,
    rendition: 'ready',
    hasAbsurdTimes: false,
    judgement: null,
    gaps: [],
  };
}

/**
 * Prepares a sound that browsers can play. It needs a rendition if browsers would have to guess positions in it,
 * or if its times are absurd.
 */
async function preparePlayable(
  deps: PrepareImportDeps,
  task: ImportTask,
  { sound, measured }: Measuring,
): Promise<PreparedImport> {
  const needsMore =
    measured.hasAbsurdTimes ||
    measured.holes.length > 0 ||
    (sound.stated.obstacles.length > 0 &&
      sound.stated.obstacles.every((obstacle) => repairable.has(obstacle)));
  if (!needsMore) return asItIs(deps, task, { sound, measured });
  const made = await makeRendition(deps, task, { sound, measured });
  // A file with imprecise seeking can still be played.
  if (made === null) return asItIs(deps, task, { sound, measured });
  return made.kind === 'rejected'
    ? made
    : { ...made, hasAbsurdTimes: made.hasAbsurdTimes || measured.hasAbsurdTimes };
}

async function prepareSound(
  deps: PrepareImportDeps,
  task: ImportTask,
  { sound, measured }: Measuring,
): Promise<PreparedImport> {
  const plain = await plainWav(deps, task, sound);
  if (plain !== null) return plain;
  if (isPlayable(sound.format) && !sound.hasPictures) return preparePlayable(deps, task, { sound, measured });
  const made = await makeRendition(deps, task, { sound, measured });
  if (made !== null) return made;
  const { durationMs, hasAbsurdTimes } = measured;
  return {
    kind: 'audio',
    segments: await withPlayedFile(deps.blobs, task),
    format: sound.format,
    durationMs: durationMs ?? sound.durationMs,
    rendition: 'failed',
    hasAbsurdTimes,
    judgement: null,
    gaps: [],
  };
}

/** Prepares an import that ffmpeg can't judge, or whose times are absurd, by the result of our own parser. */
export async function prepareUnjudged(
  deps: PrepareImportDeps,
  task: ImportTask,
  { probed, measured }: { probed: Probed; measured: Measured },
): Promise<PreparedImport> {
  if (probed.kind === 'sound') return prepareSound(deps, task, { sound: probed, measured });
  if (probed.kind === 'foreign')
    return decode(deps, task, {
      format: formatOfTrack(probed.container.container, undefined),
      ...playedDemuxerOf(probed),
    });
  return { kind: 'rejected', reason: probed.reason };
}
