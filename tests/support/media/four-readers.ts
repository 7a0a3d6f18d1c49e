import { expect } from 'vitest';
import { peaksFormat } from '#contract/limits.ts';
import type { RecordingDetails } from '#contract/recordings.ts';
import { readPyramidHeader } from '#audio/peaks/peaks-pyramid.ts';
import type { ApiUnderTest, TestUser } from '#tests/support/api-under-test.ts';
import { importFile } from '#tests/support/import-file.ts';
import { type Decoded, decodedFile } from './ffmpeg-files.ts';

/** By how much the four readers of a recording may differ. */
const agreementMs = 100;
/** A waveform has a point every ten milliseconds, and encoders smear an edge over a packet. */
const edgeToleranceMs = 35;

/** A recording as the four readers see it: the API, the waveform, the served audio and the conversions. */
export interface FourReaders {
  recording: RecordingDetails;
  recordingId: string;
  /** `loudest` is between 0 and 1. */
  peaks: { lengthMs: number; soundsFromMs: number | null; loudest: number };
  served: Decoded & { mediaType: string };
  converted: Record<string, Decoded>;
}

const pointMs = 1000 / peaksFormat.pointsPerSecond;

function peaksRead(pyramid: Buffer): FourReaders['peaks'] {
  const { levels = [], points = 0 } = readPyramidHeader(pyramid) ?? {};
  const finest = levels.at(-1);
  const values = new Int8Array(pyramid.buffer, pyramid.byteOffset + (finest?.offsetBytes ?? 0), points * 2);
  const first = values.findIndex((value) => Math.abs(value) > 8);
  const loudest = values.reduce((max, value) => Math.max(max, Math.abs(value)), 0) / 127;
  return {
    loudest,
    lengthMs: points * pointMs,
    soundsFromMs: first < 0 ? null : Math.floor(first / 2) * pointMs,
  };
}

/** Imports a file and reads it with all four readers. */
export async function fourReaders(
  api: ApiUnderTest,
  user: TestUser,
  {
    name,
    bytes,
    peaks,
    formats = ['wav'],
  }: { name: string; bytes: Buffer; peaks?: Uint8Array; formats?: readonly string[] },
): Promise<FourReaders> {
  const {
    take: { recordingId },
    recording,
  } = await importFile(api, user, { name, bytes, ...(peaks === undefined ? {} : { peaks }) });
  return readersOf(api, user, { recordingId, recording, formats });
}

/** Reads an existing recording with all four readers. */
export async function readersOf(
  api: ApiUnderTest,
  user: TestUser,
  {
    recordingId,
    recording,
    formats = ['wav'],
  }: { recordingId: string; recording: RecordingDetails; formats?: readonly string[] },
): Promise<FourReaders> {
  const get = (what: string) => api.as(user, { url: `/api/recordings/${recordingId}/${what}` });
  expect(recording).toMatchObject({ state: 'ready', failureReason: null });
  const audio = await get('audio');
  const converted: Record<string, Decoded> = {};
  for (const format of formats) {
    const answer = await get(`download?format=${format}`);
    expect([format, answer.statusCode]).toEqual([format, 200]);
    converted[format] = decodedFile(answer.rawPayload);
  }
  return {
    recording,
    recordingId,
    converted,
    peaks: peaksRead((await get('peaks')).rawPayload),
    served: { ...decodedFile(audio.rawPayload), mediaType: String(audio.headers['content-type']) },
  };
}

/** Where the four readers disagree with the file's length, the start of its tone or its start time of zero. */
export function disagreements(
  { recording, peaks, served, converted }: FourReaders,
  { lengthMs, soundsFromMs }: { lengthMs: number; soundsFromMs: number | null },
): string[] {
  const decoded = Object.entries(converted).map(([format, sound]) => ({ reader: format, ...sound }));
  const lengths = [
    { reader: 'api', lengthMs: recording.durationMs },
    { reader: 'peaks', ...peaks },
    { reader: 'served', ...served },
    ...decoded,
  ];
  const edges =
    soundsFromMs === null ? [] : [{ reader: 'peaks', ...peaks }, { reader: 'served', ...served }, ...decoded];
  return [
    ...lengths
      .filter((each) => Math.abs(each.lengthMs - lengthMs) > agreementMs)
      .map((each) => `${each.reader}: ${each.lengthMs} of ${lengthMs} ms`),
    ...edges
      .filter(
        (each) =>
          each.soundsFromMs === null || Math.abs(each.soundsFromMs - (soundsFromMs ?? 0)) > edgeToleranceMs,
      )
      .map((each) => `${each.reader}: sounds from ${each.soundsFromMs} instead of ${soundsFromMs} ms`),
    // For an MP3 file ffprobe reports the encoder's delay, which players skip.
    ...(served.mediaType !== 'audio/mpeg' && Math.abs(served.startMs) > 50
      ? [`served: begins at ${served.startMs} ms`]
      : []),
  ];
}
