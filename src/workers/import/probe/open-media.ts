import {
  ADTS,
  BlobSource,
  FLAC,
  Input,
  type InputFormat,
  MATROSKA,
  MP3,
  MP4,
  MPEG_TS,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny';
import { movingSource } from '#audio/containers/moving-source.ts';
import type { FileFormat } from '#workers/import/import-record.ts';

/**
 * Formats with their names in the contract. Playlists are left out, because they would make the browser fetch URLs
 * of theirs.
 */
const formats: readonly (readonly [InputFormat, FileFormat['container']])[] = [
  [WEBM, 'webm'],
  [MATROSKA, 'matroska'],
  [MP4, 'mp4'],
  [QTFF, 'mp4'],
  [WAVE, 'wav'],
  [OGG, 'ogg'],
  [FLAC, 'flac'],
  [MP3, 'mp3'],
  [ADTS, 'adts'],
  [MPEG_TS, 'other'],
];

/** Opens a file's container for reading in pieces; the caller must `dispose` it. */
export const openMedia = (file: Blob): Input =>
  new Input({
    formats: formats.map(([format]) => format),
    source: movingSource(new BlobSource(file, { handleUnhandledError: () => undefined })),
  });

/** The name of a format in the contract. */
export const containerOf = (format: InputFormat): FileFormat['container'] =>
  formats.find(([known]) => known === format)?.[1] ?? 'other';
