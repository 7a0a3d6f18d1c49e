import { toAudacity } from '#base/labels/audacity.ts';
import { toCsv } from '#base/labels/csv.ts';
import type { Label } from '#base/labels/label.ts';
import { toSrt } from '#base/labels/srt.ts';
import { toVtt } from '#base/labels/vtt.ts';
import type { Note } from '#contract/notes-api.ts';
import { fileNameOf, saveFile } from '#web/ui/dom/save-file.ts';
import type { PlayableMarker } from '#web/features/player/playable-recording.ts';

export type LabelFormat = 'vtt' | 'srt' | 'txt' | 'csv';

const formats = {
  vtt: { write: toVtt, mediaType: 'text/vtt' },
  srt: { write: toSrt, mediaType: 'application/x-subrip' },
  txt: { write: toAudacity, mediaType: 'text/plain' },
  csv: { write: toCsv, mediaType: 'text/csv' },
} satisfies Record<LabelFormat, { write: (labels: readonly Label[]) => string; mediaType: string }>;

/** Converts markers and notes to labels, in time order. */
export function labelsOf(
  markers: readonly PlayableMarker[],
  notes: readonly Pick<Note, 'fromMs' | 'toMs' | 'text'>[],
): Label[] {
  const marked = markers.map(({ atMs, label, colour }): Label => ({
    kind: 'marker',
    atMs,
    endMs: null,
    text: label,
    colour: colour ?? null,
  }));
  const noted = notes.map(({ fromMs, toMs, text }): Label => ({
    kind: 'note',
    atMs: fromMs,
    endMs: toMs,
    text,
    colour: null,
  }));
  return [...marked, ...noted].toSorted((a, b) => a.atMs - b.atMs);
}

/** Downloads the labels as a file of the given format. */
export function saveLabels(
  labels: readonly Label[],
  { title, format }: { title: string; format: LabelFormat },
): void {
  const { write, mediaType } = formats[format];
  saveFile(new Blob([write(labels)], { type: `${mediaType};charset=utf-8` }), fileNameOf(title, format));
}
