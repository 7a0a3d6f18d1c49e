import { expect, it } from 'vitest';
import type { ExportedMarker, ExportedNote } from '#contract/account-export.ts';
import { limits } from '#contract/limits.ts';
import { labelBatches } from './label-batches.ts';

const createdAt = '2026-11-21T09:00:00.000Z';
const marker = (index: number): ExportedMarker => ({
  id: String(index),
  atMs: index,
  label: '',
  colour: 'blue',
  createdAt,
});
const note = (index: number): ExportedNote => ({
  id: String(index),
  fromMs: index,
  toMs: null,
  text: '字'.repeat(limits.noteLength),
  createdAt,
  updatedAt: createdAt,
});

it('splits many and long labels into requests that the server accepts, in order and without loss', () => {
  const markers = Array.from({ length: limits.markersPerRecording }, (_, index) => marker(index));
  const notes = Array.from({ length: 200 }, (_, index) => note(index));
  const batches = labelBatches({ markers, notes });
  expect(batches.flatMap((batch) => batch.markers)).toEqual(markers);
  expect(batches.flatMap((batch) => batch.notes)).toEqual(notes);
  for (const batch of batches) {
    expect(new TextEncoder().encode(JSON.stringify(batch)).length).toBeLessThan(limits.restore.bodySizeBytes);
    expect([
      batch.markers.length <= limits.restore.markersPerCall,
      batch.notes.length <= limits.restore.notesPerCall,
    ]).toEqual([true, true]);
  }
});

it('sends no request for a recording without labels', () => {
  expect(labelBatches({ markers: [], notes: [] })).toEqual([]);
});
