import { peaksFormat } from '#contract/limits.ts';
import { apiOnSqlite } from './api-under-test.ts';
import { importFile } from './import-file.ts';
import { sampleFile } from './sample-files.ts';

/** A file that ffmpeg makes, and what an import of it says of its format. */
export interface ImportedSample {
  name: string;
  options?: readonly string[];
  kind?: 'sound' | 'film';
  format: { container?: string; codec?: string };
}

/** What is true of every good import of a file of three seconds. */
export const goodImport = { state: 'ready', failureReason: null, keepsTheFile: true };

/**
 * Imports a file of three seconds. `errorMs` and `missingPoints` are how far its duration and its peaks are from them.
 * `audio` is what browsers get: `unchanged`, or the media type of the copy and how it begins. */
export async function importSample({ name, options = [], kind = 'sound' }: ImportedSample) {
  const api = await apiOnSqlite();
  const user = await api.signIn();
  const bytes = sampleFile(name, options, kind);
  const { take, recording } = await importFile(api, user, { name, bytes });
  const get = (what: string) => api.as(user, { url: `/api/recordings/${take.recordingId}/${what}` });
  const [audio, original] = [await get('audio'), await get('original')];
  const { state, failureReason, rendition, format, durationMs, peaksPoints } = recording;
  return {
    state,
    failureReason,
    rendition,
    format,
    errorMs: Math.abs(durationMs - 3000),
    missingPoints: Math.abs(peaksPoints - 3 * peaksFormat.pointsPerSecond),
    keepsTheFile: original.rawPayload.equals(bytes) && recording.sizeBytes === bytes.length,
    audio: audio.rawPayload.equals(bytes)
      ? 'unchanged'
      : `${audio.headers['content-type']} ${/OggS|ftyp/.exec(audio.rawPayload.toString('latin1', 0, 8))?.[0]}`,
  };
}
