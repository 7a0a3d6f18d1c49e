import type { DownloadFormat } from '#contract/exports-api.ts';
import { titleText, type Titled } from '#web/recordings/time/title-text.ts';
import { fileNameOf, saveFrom } from '#web/ui/dom/save-file.ts';
import type { SoundSelection } from '#web/features/player/engine/selection.ts';

export type ConversionTarget = Exclude<DownloadFormat, 'original'>;
export const convertedFormats: readonly ConversionTarget[] = ['mp3', 'm4a', 'opus', 'flac', 'wav'];

/**
 * Where the server gives a recording as a file: what was sent, untouched, or converted, whole or a part of
 * it.
 */
export function downloadUrlOf(
  recordingId: string,
  format: DownloadFormat,
  part: SoundSelection | null,
): string {
  if (format === 'original') return `/api/recordings/${recordingId}/original`;
  const query = new URLSearchParams({
    format,
    ...(part === null ? {} : { fromMs: String(part.fromMs), toMs: String(part.toMs) }),
  });
  return `/api/recordings/${recordingId}/download?${query.toString()}`;
}

/** Lets the browser download a recording from an address, under its title. */
export function saveAs(format: DownloadFormat, { url, recording }: { url: string; recording: Titled }): void {
  saveFrom(url, fileNameOf(titleText(recording), format === 'original' ? 'ogg' : format));
}
