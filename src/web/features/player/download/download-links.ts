import type { DownloadFormat } from '#contract/exports-api.ts';
import { urlOf } from '#web/api/call.ts';
import { titleText, type Titled } from '#web/recordings/time/title-text.ts';
import { fileNameOf, saveFrom } from '#web/ui/dom/save-file.ts';
import type { SoundSelection } from '#playback/playback-state.ts';

export type ConversionTarget = Exclude<DownloadFormat, 'original'>;
export const convertedFormats: readonly ConversionTarget[] = ['mp3', 'm4a', 'opus', 'flac', 'wav'];

/** URL of a recording as a file: the stored original, or all or part of it converted. */
export function downloadUrlOf(
  recordingId: string,
  format: DownloadFormat,
  part: SoundSelection | null,
): string {
  if (format === 'original') return urlOf('getOriginal', { params: { recordingId } });
  const query = { format, ...(part === null ? {} : { fromMs: part.fromMs, toMs: part.toMs }) };
  return urlOf('downloadRecording', { params: { recordingId }, query });
}

/** Downloads a URL in the browser, with the recording's title as the file name. */
export function saveAs(format: DownloadFormat, { url, recording }: { url: string; recording: Titled }): void {
  saveFrom(url, fileNameOf(titleText(recording), format === 'original' ? 'ogg' : format));
}
