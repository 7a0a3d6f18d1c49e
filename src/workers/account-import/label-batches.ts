import type { ExportedRecording } from '#contract/account-export.ts';
import { limits } from '#contract/limits.ts';
import type { RestoredLabels } from '#contract/restores-api.ts';

/** Well below the server's limit for one request. */
const maxCharacters = 500_000;

/** Divides items into requests with at most `max` of them. */
export function pieces<Item>(items: readonly Item[], max: number): Item[][] {
  const made: Item[][] = [];
  let characters = 0;
  for (const item of items) {
    const length = JSON.stringify(item).length;
    const last = made.at(-1);
    if (last === undefined || last.length >= max || characters + length > maxCharacters) {
      made.push([item]);
      characters = length;
    } else {
      last.push(item);
      characters += length;
    }
  }
  return made;
}

/** Splits a recording's markers and notes into requests that the server accepts. */
export function labelBatches({
  markers,
  notes,
}: Pick<ExportedRecording, 'markers' | 'notes'>): RestoredLabels[] {
  const { markersPerCall, notesPerCall } = limits.restore;
  return [
    ...pieces(markers, markersPerCall).map((some) => ({ markers: some, notes: [] })),
    ...pieces(notes, notesPerCall).map((some) => ({ markers: [], notes: some })),
  ];
}
