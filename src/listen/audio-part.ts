import { audioSectionCount } from '#contract/audio-sections.ts';
import type { AudioFormat } from './audio-format.ts';

/** The audio at one address. Times are milliseconds since the start of the shared part. */
export interface AudioPart {
  url: string;
  startMs: number;
  endMs: number;
}

export interface PartOptions {
  linkPath: string;
  format: AudioFormat;
  durationMs: number;
  isGrowing: boolean;
  /** The length of the sections in which long Ogg is played; M4A of any length is one part. */
  sectionMs: number;
}

/**
 * The audio with a moment. Each length of a growing recording has a URL; else a browser would continue with the shorter
 * file that it has.
 */
export function audioPartAt(
  atMs: number,
  { linkPath, format, durationMs, isGrowing, sectionMs }: PartOptions,
): AudioPart {
  const count = format === 'ogg' ? audioSectionCount(durationMs, sectionMs) : 1;
  const section = Math.min(count - 1, Math.floor(atMs / sectionMs));
  const query = [
    ...(format === 'ogg' ? [] : [`format=${format}`]),
    ...(isGrowing ? [`until=${Math.floor(durationMs)}`] : []),
    ...(count > 1 ? [`section=${section}`] : []),
  ].join('&');
  return {
    url: `${linkPath}/audio${query && `?${query}`}`,
    startMs: section * sectionMs,
    endMs: section === count - 1 ? durationMs : (section + 1) * sectionMs,
  };
}
