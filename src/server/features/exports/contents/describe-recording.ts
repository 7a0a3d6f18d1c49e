import { z } from 'zod';
import { instantOf } from '#base/instant.ts';
import { type Label, labelColours } from '#base/labels/label.ts';
import { toVtt } from '#base/labels/vtt.ts';
import { maxStatedChannels } from '#contract/channels.ts';
import type { Passage } from '#contract/passages-api.ts';
import { pauseSchema } from '#contract/recordings.ts';
import type {
  ImportedFileRow,
  SavedViewRow,
  TagRow,
  NoteRow,
  PlaybackPositionRow,
  MarkerRow,
  RecordingRow,
} from '#server/storage/database/schema.ts';
import { describeShare, type SharedSettings } from './shared-settings.ts';
import { believableCount, believableSilence } from '#server/storage/rows/believable.ts';
import { timeOfRow, zoneOrUtc } from '#server/storage/rows/stored-time.ts';
import { storedGapSchema, storedList } from '#server/storage/rows/stored-list.ts';

/** A stored file of a recording, as listed in recording.json. */
export interface DescribedFile {
  uploadId: string;
  stream: 'audio' | 'peaks';
  index: number;
  startMs: number;
  container: string;
  path: string;
  sizeBytes: number;
  sha256: string;
}

/** The data of a recording other than its sound. */
export interface Noted {
  markers: readonly MarkerRow[];
  notes: readonly NoteRow[];
  tags: readonly TagRow[];
  file: ImportedFileRow | undefined;
  position: PlaybackPositionRow | undefined;
  isFavourite: boolean;
  passages: readonly Passage[];
}

/** The contents of a text file: human-readable JSON. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const describeTag = ({ id, name, colour }: TagRow) => ({ id, name, colour });

const describeNote = ({
  id,
  from_ms: fromMs,
  to_ms: toMs,
  text,
  created_at: createdAtMs,
  updated_at: updatedAtMs,
}: NoteRow) => ({
  id,
  fromMs,
  toMs,
  text,
  createdAt: instantOf(createdAtMs),
  updatedAt: instantOf(updatedAtMs),
});

/**
 * All data of a recording, so that another installation can restore it exactly. Equal recordings have equal
 * descriptions.
 */
export function describeRecording(
  row: RecordingRow,
  {
    markers,
    notes,
    tags,
    file,
    position,
    isFavourite,
    passages,
    files,
  }: Noted & { files: readonly DescribedFile[] },
): Record<string, unknown> {
  return {
    id: row.id,
    title: row.title,
    language: row.language,
    recordedTime: timeOfRow(row),
    startedAt: instantOf(row.began_at ?? row.started_at),
    timeZone: zoneOrUtc(row),
    createdAt: instantOf(row.created_at),
    durationMs: row.duration_ms,
    source: row.source,
    file: file
      ? {
          name: file.file_name,
          mediaType: file.file_media_type,
          sizeBytes: believableCount(file.file_size_bytes),
          sha256: file.file_sha256,
        }
      : null,
    deviceLabel: row.device_label,
    format: {
      container: row.container,
      codec: row.codec,
      sampleRateHz: row.sample_rate_hz,
      channels: Math.min(row.channels, maxStatedChannels),
    },
    people: storedList(z.string(), row.people) ?? [],
    tags: tags.map(describeTag),
    gaps: storedList(storedGapSchema, row.gaps) ?? [],
    pauses: storedList(pauseSchema, row.pauses) ?? [],
    microphoneSilenceMs: believableSilence(row.microphone_silence_ms),
    markers: markers.map(({ id, at_ms: atMs, label, colour, created_at: createdAtMs }) => ({
      id,
      atMs,
      label,
      colour,
      createdAt: instantOf(createdAtMs),
    })),
    notes: notes.map(describeNote),
    isFavourite,
    passages: passages.map(({ fromMs, toMs }) => ({ fromMs, toMs })),
    position: position ? { positionMs: position.position_ms, heardAt: instantOf(position.heard_at) } : null,
    files,
  };
}

/** The data of a user other than recordings: tags, including unused ones, saved views, and links. */
export const describeAccount = ({
  tags,
  views,
  shares,
}: {
  tags: readonly TagRow[];
  views: readonly SavedViewRow[];
  shares: readonly SharedSettings[];
}): Record<string, unknown> => ({
  tags: tags.map(describeTag),
  views: views.map(({ id, name, query }) => ({ id, name, query })),
  shares: shares.map(describeShare),
});

const markerLabel = ({ at_ms: atMs, label, colour }: MarkerRow): Label => ({
  kind: 'marker',
  atMs,
  endMs: null,
  text: label,
  colour: labelColours.find((known) => known === colour) ?? null,
});

/** The markers as WebVTT, for other programs. */
export const markersVtt = (markers: readonly MarkerRow[]): string => toVtt(markers.map(markerLabel));

/** The notes as WebVTT, for other programs, as they were typed. */
export const notesVtt = (notes: readonly NoteRow[]): string =>
  toVtt(
    notes.map(({ from_ms: atMs, to_ms: endMs, text }) => ({ kind: 'note', atMs, endMs, text, colour: null })),
  );
