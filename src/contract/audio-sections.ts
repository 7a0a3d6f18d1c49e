import { second } from '#base/duration.ts';
import { limits } from './limits.ts';

/** A remainder shorter than this is part of the section before it. */
const minSectionMs = second;

/** The number of sections for audio of this length; at least one. */
export const audioSectionCount = (durationMs: number, sectionMs: number): number =>
  Math.max(1, Math.floor((durationMs - minSectionMs) / sectionMs) + 1);

/**
 * The time range of a section in audio of this length; `endMs` is Infinity for the last section. Null after the
 * last one.
 * @param audio.isEnded no more audio will follow, so a short remainder is part of the section before it
 */
export function audioSectionWindow(
  section: number,
  { durationMs, isEnded }: { durationMs: number; isEnded: boolean },
): { startMs: number; endMs: number } | null {
  const startMs = section * limits.audioSectionMs;
  const minMs = isEnded ? minSectionMs : 0;
  if (section > 0 && durationMs < startMs + minMs) return null;
  const nextStartMs = startMs + limits.audioSectionMs;
  return { startMs, endMs: durationMs >= nextStartMs + minMs ? nextStartMs : Infinity };
}
