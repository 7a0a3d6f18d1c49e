import { second } from '#base/duration.ts';
import { limits } from './limits.ts';

/** A rest shorter than this belongs to the section before it. */
const shortestSectionMs = second;

/** In how many sections audio of a length is played; at least one. */
export const audioSectionCount = (durationMs: number, sectionMs: number): number =>
  Math.max(1, Math.ceil((durationMs - shortestSectionMs) / sectionMs));

/**
 * The window of the timeline that is one section of audio as long as this, `endMs` Infinity of the last one;
 * null behind the last one.
 * @param audio.isEnded no more is coming: a short rest belongs to the section before it
 */
export function audioSectionWindow(
  section: number,
  { durationMs, isEnded }: { durationMs: number; isEnded: boolean },
): { startMs: number; endMs: number } | null {
  const startMs = section * limits.audioSectionMs;
  const leastMs = isEnded ? shortestSectionMs : 0;
  if (section > 0 && durationMs < startMs + leastMs) return null;
  const nextStartMs = startMs + limits.audioSectionMs;
  return { startMs, endMs: durationMs >= nextStartMs + leastMs ? nextStartMs : Infinity };
}
