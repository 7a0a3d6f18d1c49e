import { minHoleMs } from '#audio/min-hole.ts';
import { maxSoundMsOf } from '#base/numbers/untrusted-numbers.ts';
import { second } from '#base/duration.ts';
import { type Format, isPlayable } from '#contract/formats.ts';
import { mixedChannels } from '#server/processes/ffmpeg/mixed-channels.ts';
import type { SoundTrack } from '#server/processes/ffmpeg/probe-sound.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import { playedDemuxerOf, withPlayedFile } from './played-file.ts';
import type { FailureReason, ImportTask, PreparedImport, PrepareImportDeps } from './prepared-import.ts';
import type { Measured, Probed } from './probe-file.ts';
import { remuxedKeyOf } from '#server/storage/blobs/derived-keys.ts';
import { unfinishedPeaks } from '#server/features/recordings/remux/made-peaks.ts';
import type { RemuxRange, MadeFile, SegmentTask } from '#server/features/recordings/remux/segment-remuxer.ts';
import { gapsOf } from './file-facts.ts';
import { formatOfTrack } from './format-of-track.ts';
import { agreementMs, classifyFile, type Judgement, type Reason } from './classify-file.ts';
import { measureMade } from './measure-made.ts';
import { peaksInMemory } from './peaks-in-memory.ts';

type Sound = Extract<Probed, { kind: 'sound' }>;
type Deps = PrepareImportDeps & { program: string };
interface Found {
  probed: Probed;
  measured: Measured;
}
/** A file and its judgement. */
interface Classified {
  sound: Sound | null;
  format: Format;
  judgement: Judgement;
  demuxer?: string;
}

const demuxers = { ogg: 'ogg', mp4: 'mov', webm: 'matroska', wav: 'wav' } as const;

/**
 * Measures a made file, and stores its peaks if it has the expected duration and all sound at its place. Returns the
 * duration, or null if it has not.
 */
async function measureRendition(
  { blobs, program }: Deps,
  { file, signal }: ImportTask,
  {
    made: { blobKey, sizeBytes, container },
    judgement: { channels, mixedTo, waveform, durationMs: expectedMs },
  }: { made: MadeFile; judgement: Judgement },
): Promise<number | null> {
  if (sizeBytes === 0) return null;
  const peaks = await unfinishedPeaks(blobs, file);
  try {
    const { durationMs, hasAllSound } = await measureMade(
      { blobs, program },
      { made: { blobKey, demuxer: demuxers[container] }, waveform },
      {
        // A copy of samples has all channels.
        channels: container === 'ogg' ? mixedTo : channels,
        latestMs: expectedMs,
        maxMs: maxSoundMsOf(file.sizeBytes) + second,
        signal,
        storePeaks: peaks.append,
      },
    );
    if (Math.abs(durationMs - expectedMs) > agreementMs || !hasAllSound) return null;
    await peaks.finish();
    return durationMs;
  } finally {
    await peaks.discard();
  }
}

type Candidate = Pick<SegmentTask, 'make'> & { chosen: RemuxRange };

/** What only decoding changes. Our own parser plays only the first part of an edit list. */
const decodedFor: ReadonlySet<Reason> = new Set(['edits', 'several-channels', 'above-full-scale']);

const isDecoded = ({ reasons, played: choice }: Judgement): boolean =>
  reasons.some((reason) => decodedFor.has(reason)) || typeof choice !== 'number';

/** The candidates to play, best first: the packets unchanged, then another encoding. */
function candidatesFor({ sound, judgement, demuxer }: Classified): Candidate[] {
  const { tracks, played: track, latestMs, durationMs, holes, quieterDb } = judgement;
  const silenceMs = holes.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const chosen: RemuxRange = {
    track,
    latestMs,
    quieterDb,
    filled: { minHoleMs, maxSilenceMs: silenceMs === 0 ? 0 : silenceMs + second },
    ...(demuxer === undefined ? {} : { demuxer }),
  };
  const decoding: Candidate = { make: 'ogg-by-decoding', chosen };
  if (sound === null || isDecoded(judgement)) return [decoding];
  const copyInto = (container: 'mp4' | 'webm' | 'wav'): Candidate => ({
    make: 'copy',
    chosen: { ...chosen, copy: { container, untilMs: durationMs, tracks: Math.max(1, tracks.length) } },
  });
  const { container, codec, channels } = sound.format;
  if (container === 'wav') return [copyInto('wav'), decoding];
  if (codec === 'opus' && channels <= 2 && tracks.length <= 1) return [{ make: 'ogg', chosen }, decoding];
  // A copy has the same holes, which browsers play wrongly.
  if (holes.length > 0) return [decoding];
  if (isPlayable({ container: 'mp4', codec })) return [copyInto('mp4'), decoding];
  return isPlayable({ container: 'webm', codec }) ? [copyInto('webm'), decoding] : [decoding];
}

/**
 * Returns the result of an earlier run if nothing better can be made. That of sound above full scale may be one of an
 * earlier version, which is distorted.
 */
async function existingRendition(
  deps: Deps,
  task: ImportTask,
  judgement: Judgement,
): Promise<{ segment: StoredSegment; durationMs: number } | null> {
  const {
    file: { blobKey, remuxedBytes: sizeBytes, remuxedContainer: container },
  } = task;
  if (sizeBytes === null || container === null || judgement.quieterDb > 0) return null;
  const key = remuxedKeyOf(blobKey, container);
  if ((await deps.blobs.head(key)) === null) return null;
  const durationMs = await measureRendition(deps, task, {
    made: { blobKey: key, sizeBytes, container },
    judgement,
  });
  return durationMs === null ? null : { segment: task.file, durationMs };
}

/**
 * Makes the file that is played in place of the import: the first candidate with the same duration. Returns null
 * if no candidate has it.
 */
async function firstFaithfulRendition(
  deps: Deps,
  task: ImportTask,
  classified: Classified,
): Promise<{ segment: StoredSegment; durationMs: number } | null> {
  for (const { make, chosen } of candidatesFor(classified)) {
    if (make === 'ogg-by-decoding') {
      const before = await existingRendition(deps, task, classified.judgement);
      if (before !== null) return before;
    }
    let durationMs: number | null = null;
    const accepts = async (made: MadeFile): Promise<boolean> => {
      durationMs = await measureRendition(deps, task, { made, judgement: classified.judgement });
      return durationMs !== null;
    };
    const { segment } = await deps.remuxOne(task.file, {
      make,
      chosen,
      accepts,
      wantsPeaks: false,
      signal: task.signal,
    });
    if (durationMs !== null) return { segment, durationMs };
  }
  return null;
}

interface Playable {
  classified: Classified;
  segment: StoredSegment;
  durationMs: number;
  rendition: 'none' | 'ready';
}

async function toPreparedImport(
  deps: Deps,
  task: ImportTask,
  { classified: { format, judgement }, segment, durationMs, rendition }: Playable,
): Promise<PreparedImport> {
  const file = rendition === 'none' ? { ...segment, remuxedBytes: null, remuxedContainer: null } : segment;
  return {
    kind: 'audio',
    segments: await withPlayedFile(deps.blobs, { segments: task.segments, file }, { prefersMade: true }),
    format,
    durationMs: Math.round(durationMs),
    rendition,
    hasAbsurdTimes: judgement.reasons.includes('absurd-times'),
    judgement,
    gaps: rendition === 'ready' ? gapsOf(judgement.holes) : [],
  };
}

/**
 * Whether browsers play the file itself if nothing else can be made: they mix channels, though not all of them, and cut
 * off what is louder than full scale.
 */
const isPlayedAsItIs = (reasons: Judgement['reasons']): boolean =>
  reasons.every((reason) => reason === 'several-channels' || reason === 'above-full-scale');

/** Classifies the file. Its peaks are stored if it may be played as it is. */
async function classifyWithPeaks(
  deps: Deps,
  task: ImportTask,
  { sound, measured, demuxer }: { sound: Sound | null; measured: Measured; demuxer?: string },
): Promise<Judgement> {
  const peaks = await unfinishedPeaks(deps.blobs, task.file);
  try {
    const judgement = await classifyFile(deps, {
      file: task.file,
      sound,
      measured,
      track: task.track,
      signal: task.signal,
      peaks,
      ...(demuxer === undefined ? {} : { demuxer }),
    });
    if (isPlayedAsItIs(judgement.reasons) && judgement.durationMs > 0) await peaks.finish();
    return judgement;
  } finally {
    await peaks.discard();
  }
}

/** Samples that ffmpeg misreads are classified by their header alone. */
const classifyByHeader = ({
  format: { channels },
  stated: { lengthsMs, obstacles, channelNames = [] },
}: Sound): Judgement => ({
  tracks: [],
  played: 0,
  channels,
  mixedTo: mixedChannels({ channels, layout: null }).channels,
  quieterDb: 0,
  channelNames,
  waveform: peaksInMemory().source(),
  durationMs: lengthsMs[0] ?? 0,
  latestMs: 0,
  holes: [],
  reasons: [...obstacles],
});

function reasonOf(probed: Probed): FailureReason {
  return probed.kind === 'none' ? probed.reason : 'damaged';
}

const soundOf = (probed: Probed): Sound | null => (probed.kind === 'sound' ? probed : null);

const trackOf = ({ tracks, played: choice }: Judgement): SoundTrack | undefined =>
  tracks.find(({ position }) => position === (typeof choice === 'number' ? choice : choice.mixed[0]));

function formatOf(probed: Probed, judgement: Judgement): Format {
  if (probed.kind === 'sound') return probed.format;
  return formatOfTrack(probed.kind === 'foreign' ? probed.container.container : 'other', trackOf(judgement));
}

/**
 * Plays a sound that our own parser accepts although ffmpeg can't decode it: browsers may support a codec that
 * this ffmpeg was built without. This does not apply to uncompressed samples, which need no codec.
 */
async function playUndecoded(
  deps: Deps,
  task: ImportTask,
  { classified: known, measured }: { classified: Classified; measured: Measured },
): Promise<PreparedImport | null> {
  const { sound } = known;
  const durationMs = measured.durationMs ?? sound?.durationMs ?? 0;
  if (
    sound === null ||
    sound.format.container === 'wav' ||
    !isPlayable(sound.format) ||
    sound.hasPictures ||
    durationMs === 0
  )
    return null;
  return toPreparedImport(deps, task, {
    classified: known,
    segment: task.file,
    durationMs,
    rendition: 'none',
  });
}

/**
 * Failures that our own parser decides alone, because ffmpeg would play noise or nothing. For other failures
 * ffmpeg may find sound that our parser does not see, such as LATM in a transport stream.
 */
const final: ReadonlySet<FailureReason> = new Set(['encrypted', 'format-unsupported']);

/** Decides what is played of a classified sound. Returns null if nothing can be played. */
async function playClassified(
  deps: Deps,
  task: ImportTask,
  { classified: known, measured }: { classified: Classified; measured: Measured },
): Promise<PreparedImport | null> {
  const { durationMs, reasons } = known.judgement;
  if (durationMs === 0) return playUndecoded(deps, task, { classified: known, measured });
  const made = reasons.length === 0 ? null : await firstFaithfulRendition(deps, task, known);
  if (made !== null) return toPreparedImport(deps, task, { classified: known, ...made, rendition: 'ready' });
  if (!isPlayedAsItIs(reasons)) return null;
  return toPreparedImport(deps, task, {
    classified: known,
    segment: task.file,
    durationMs,
    rendition: 'none',
  });
}

/**
 * Prepares an import by its contents, not its name. It is played as it is only if the file itself states its
 * duration and where each moment is, and decoding it gives the same duration. Otherwise its packets are copied to
 * a container that states them, and encoded again only if copying is impossible.
 */
export async function prepareJudged(
  deps: Deps,
  task: ImportTask,
  { probed, measured }: Found,
): Promise<PreparedImport> {
  const reason = reasonOf(probed);
  if (final.has(reason)) return { kind: 'rejected', reason };
  const sound = soundOf(probed);
  const demuxer = playedDemuxerOf(probed);
  const judgement =
    sound?.stated.obstacles.includes('layout') === true
      ? classifyByHeader(sound)
      : await classifyWithPeaks(deps, task, { sound, measured, ...demuxer });
  const known: Classified = { sound, judgement, format: formatOf(probed, judgement), ...demuxer };
  return (await playClassified(deps, task, { classified: known, measured })) ?? { kind: 'rejected', reason };
}
