import { hour, second } from '#base/duration.ts';
import type { Label, ReadLabels } from '#base/labels/label.ts';
import { codePointLength } from '#base/text.ts';
import { limits } from '#contract/limits.ts';

export type LabelRejection =
  | ReadLabels['rejected'][number]['reason']
  | 'beyond-end'
  | 'too-long'
  | 'empty'
  | 'too-many'
  | 'hours'
  | 'repeated';

export interface ImportPlan {
  fresh: Label[];
  /** Number of labels skipped because the recording already has the same text at the same time. */
  known: number;
  rejected: { line: number; reason: LabelRejection }[];
}

/** NUL and bidirectional controls, which would reorder the text around them. They are never stored. */
const unstorable = /[\0\u202a-\u202e\u2066-\u2069]/g;

/** Normalises the text for storage. The name of a marker is a single line. */
function storable(label: Label): Label {
  const text = label.text.replaceAll(unstorable, '');
  if (label.kind === 'marker') return { ...label, text: text.replaceAll(/\p{Cc}+/gu, ' ').trim() };
  return { ...label, text: text.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\n\t]/gu, '') };
}

const keyOf = ({ kind, atMs, endMs, text }: Label): string => JSON.stringify([kind, atMs, endMs, text]);

function rejectionOf({ kind, atMs, endMs, text }: Label, durationMs: number): LabelRejection | null {
  if (Math.max(atMs, endMs ?? 0) > durationMs + second) return 'beyond-end';
  if (kind === 'note' && text.trim() === '') return 'empty';
  return codePointLength(text) > (kind === 'marker' ? limits.markerLabelLength : limits.noteLength)
    ? 'too-long'
    : null;
}

/** Decides which labels of a file can be added to a recording that already has `present`. */
export function planImport(read: ReadLabels, present: readonly Label[], durationMs: number): ImportPlan {
  const known = new Set(present.map(keyOf));
  const added = new Set<string>();
  const remaining = {
    marker: limits.markersPerRecording - present.filter(({ kind }) => kind === 'marker').length,
    note: limits.notesPerRecording - present.filter(({ kind }) => kind === 'note').length,
  };
  // In a recording shorter than an hour, no time can lack its hours.
  const withoutHours = new Set(durationMs < hour ? [] : read.linesWithoutHours);
  const plan: ImportPlan = { fresh: [], known: 0, rejected: [...read.rejected] };
  for (const [index, found] of read.labels.entries()) {
    const label = storable(found);
    const line = read.lines[index] ?? 1;
    const rejection =
      (withoutHours.has(line) ? 'hours' : rejectionOf(label, durationMs)) ??
      (remaining[label.kind] > 0 ? null : 'too-many');
    const key = keyOf(label);
    if (rejection !== 'hours' && known.has(key)) plan.known += 1;
    else if (rejection !== 'hours' && added.has(key)) plan.rejected.push({ line, reason: 'repeated' });
    else if (rejection !== null) plan.rejected.push({ line, reason: rejection });
    else {
      added.add(key);
      remaining[label.kind] -= 1;
      plan.fresh.push(label);
    }
  }
  return { ...plan, rejected: plan.rejected.toSorted((a, b) => a.line - b.line) };
}
