import { maxChannelsOf } from '#contract/channels.ts';
import { attachment } from '#server/http/attachment.ts';
import { rejectField } from '#server/http/validation.ts';
import type { Conversion } from './convert-audio.ts';
import { encoders, framesOf } from './encoders.ts';
import { wavSizeOf } from './wav-header.ts';

/**
 * The headers of a converted file, with its length if known.
 * @throws validation (422) if the format cannot state the length of the sound, or hold its channels
 */
export function conversionHeaders({
  format,
  cut,
  sound,
  title,
}: Pick<Conversion, 'format' | 'cut' | 'sound' | 'title'>): Record<string, string> {
  const { extension, mediaType } = encoders[format];
  const largest = maxChannelsOf(format);
  if (sound.channels > largest) throw rejectField('/query/format', 'too-many-channels', { largest });
  const sizeBytes = format === 'wav' ? wavSizeOf(framesOf(cut, sound), sound) : undefined;
  if (sizeBytes === null) throw rejectField('/query/format', 'too-large');
  return {
    'Content-Type': mediaType,
    'Content-Disposition': attachment(`${title}.${extension}`),
    'Cache-Control': 'private, no-store',
    'Accept-Ranges': 'none',
    ...(sizeBytes === undefined ? {} : { 'Content-Length': String(sizeBytes) }),
  };
}
