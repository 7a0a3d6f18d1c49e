import type { Label } from './label.ts';
import { clockOf } from './label-time.ts';

/** The extension numbers chapters with three digits. */
const maxChapters = 1000;

/**
 * Markers as chapters of an Ogg file: comments of the VorbisComment chapter extension, `CHAPTER000=00:00:01.500`
 * and `CHAPTER000NAME=…`, in order of time; at most a thousand. Notes are not included.
 */
export function chapterComments(labels: readonly Pick<Label, 'kind' | 'atMs' | 'text'>[]): string[] {
  const markers = labels.filter(({ kind }) => kind === 'marker').toSorted((a, b) => a.atMs - b.atMs);
  return markers.slice(0, maxChapters).flatMap(({ atMs, text }, index) => {
    const name = `CHAPTER${String(index).padStart(3, '0')}`;
    const words = text.replaceAll(/\p{Cc}+/gu, ' ').trim();
    return [`${name}=${clockOf(atMs)}`, `${name}NAME=${words === '' ? clockOf(atMs) : words}`];
  });
}
