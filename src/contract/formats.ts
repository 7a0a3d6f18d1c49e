import { z } from 'zod';

/**
 * What a device may send for a segment: Ogg by our own writer, WebM and MP4 by the browser's recorder
 * (remuxed on the server), `original` for an imported file, whatever it is.
 */
export const containerSchema = z.enum(['ogg', 'webm', 'mp4', 'original']);

/** What a recording's file is. */
const fileContainerSchema = z.enum([
  'ogg',
  'webm',
  'mp4',
  'matroska',
  'mp3',
  'wav',
  'flac',
  'adts',
  'aiff',
  'caf',
  'other',
]);

export const formatSchema = z.strictObject({
  container: fileContainerSchema,
  /** A short name in lower case: `opus`, `aac`, `pcm-s16`; `unknown` where nobody could tell yet. */
  codec: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,31}$/, { error: 'codec' }),
  sampleRateHz: z.int().min(1000).max(768_000),
  channels: z.int().min(1).max(8),
});
export type Format = z.output<typeof formatSchema>;

/**
 * What today's browsers play as it is, `container/codec`, of files without pictures; `docs/formats.md`
 * measures it. Anything else gets a rendition. AAC without a container has one too: browsers only guess how
 * long it is.
 */
const playableFormats: ReadonlySet<string> = new Set([
  'mp3/mp3',
  'mp4/aac',
  'mp4/mp3',
  'mp4/flac',
  'mp4/opus',
  'flac/flac',
  'ogg/opus',
  'ogg/vorbis',
  'webm/opus',
  'webm/vorbis',
  'wav/pcm-u8',
  'wav/pcm-s16',
  'wav/pcm-s24',
  'wav/pcm-s32',
  'wav/pcm-f32',
  'wav/alaw',
  'wav/ulaw',
]);

/** Whether browsers play a file of this format without our help. */
export const isPlayable = ({ container, codec }: Pick<Format, 'container' | 'codec'>): boolean =>
  playableFormats.has(`${container}/${codec}`);
