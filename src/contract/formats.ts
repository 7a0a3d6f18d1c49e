import { z } from 'zod';
import { maxChannels } from './channels.ts';

/**
 * Containers that a device may upload for a segment: Ogg from our own writer, WebM and MP4 from MediaRecorder
 * (remuxed on the server), `original` for an imported file of any kind.
 */
export const containerSchema = z.enum(['ogg', 'webm', 'mp4', 'original']);

/** The container of a recording's file. */
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
  /** A short name in lower case: `opus`, `aac`, `pcm-s16`; `unknown` until it is determined. */
  codec: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,31}$/, { error: 'codec' }),
  sampleRateHz: z.int().min(1000).max(768_000),
  /** Clients of earlier versions know at most 8. */
  channels: z.int().min(1).max(maxChannels),
});
export type Format = z.output<typeof formatSchema>;

/**
 * Audio files that current browsers play directly, as `container/codec`, measured in `docs/formats.md`. Any other
 * file gets a rendition. AAC without a container gets one too, because browsers only estimate its length.
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

/** Whether browsers play a file of this format without a rendition. */
export const isPlayable = ({ container, codec }: Pick<Format, 'container' | 'codec'>): boolean =>
  playableFormats.has(`${container}/${codec}`);
