import type { Transaction } from 'kysely';
import type { ExportedMarker, ExportedNote } from '#contract/account-export.ts';
import type { RestoredLabels } from '#contract/restores-api.ts';
import type { SessionPrincipal } from '#server/http/principal.ts';
import { rejectField } from '#server/http/validation.ts';
import { momentOfClient } from '#server/storage/rows/moments.ts';
import type { NoteRow, MarkerRow, Schema } from '#server/storage/database/schema.ts';
import { labelsToAdd } from '#server/storage/rows/labels-to-add.ts';
import { reindexRecording } from '#server/storage/search/search-index.ts';
import { type WordColumns, withTextWords } from '#server/storage/search/text-words.ts';
import { alone } from './alone.ts';
import { isCutShort } from './compare-recordings.ts';
import { conflict } from './restore-recording.ts';
import type { AccountImportDeps } from './account-import-deps.ts';

interface DatedTarget {
  recordingId: string;
  ownerId: string;
  nowMs: number;
}

const markerRow = (
  { recordingId, ownerId, nowMs }: DatedTarget,
  { id, atMs, label, colour, createdAt }: ExportedMarker,
): MarkerRow => ({
  id,
  recording_id: recordingId,
  at_ms: atMs,
  label,
  colour,
  created_by: ownerId,
  created_at: momentOfClient(createdAt, nowMs),
});

const noteRow = (
  { recordingId, ownerId, nowMs }: DatedTarget,
  { id, fromMs, toMs, text, createdAt, updatedAt }: ExportedNote,
): NoteRow => ({
  id,
  recording_id: recordingId,
  from_ms: fromMs,
  to_ms: toMs,
  text,
  revision: 1,
  created_by: ownerId,
  created_at: momentOfClient(createdAt, nowMs),
  updated_at: momentOfClient(updatedAt, nowMs),
});

interface Scope {
  database: AccountImportDeps['database'];
  transaction: Transaction<Schema>;
}

/** Rows per statement, below the parameter limit of both databases. */
const together = 200;

interface LabelRows {
  markers: (MarkerRow & WordColumns)[];
  notes: (NoteRow & WordColumns)[];
}

async function insert(
  { database, transaction }: Scope,
  recordingId: string,
  { markers, notes }: LabelRows,
): Promise<void> {
  const newMarkers = await labelsToAdd(database, transaction, {
    recordingId,
    table: 'markers',
    labels: markers,
    reject: rejectField,
  });
  const newNotes = await labelsToAdd(database, transaction, {
    recordingId,
    table: 'notes',
    labels: notes,
    reject: rejectField,
  });
  for (let from = 0; from < newMarkers.length; from += together)
    await transaction
      .insertInto('markers')
      .values(newMarkers.slice(from, from + together))
      .execute();
  for (let from = 0; from < newNotes.length; from += together)
    await transaction
      .insertInto('notes')
      .values(newNotes.slice(from, from + together))
      .execute();
}

/**
 * Adds the markers and notes of an export to a recording that is being imported.
 * @throws not-found (404), restore-conflict (409) once the recording is complete
 */
export async function addImportedLabels(
  deps: AccountImportDeps,
  { principal, recordingId }: { principal: SessionPrincipal; recordingId: string },
  labels: RestoredLabels,
): Promise<void> {
  const { userId: ownerId } = principal;
  const dated = { recordingId, ownerId, nowMs: deps.clock.nowMs() };
  const rows = {
    markers: await withTextWords(
      labels.markers.map((each) => markerRow(dated, each)),
      ({ label }) => label,
    ),
    notes: await withTextWords(
      labels.notes.map((each) => noteRow(dated, each)),
      ({ text }) => text,
    ),
  };
  await alone(deps, ownerId, async (transaction) => {
    const row = await deps.access.inTransaction(transaction).recording(principal, recordingId, 'own');
    if (!isCutShort(row)) throw conflict('conflict');
    await insert({ database: deps.database, transaction }, recordingId, rows);
    await deps.usage.admitText(transaction, { recordingId, ownerId });
    await reindexRecording(transaction, recordingId);
  });
  if (labels.markers.length > 0) deps.announce.markersChanged(ownerId, recordingId);
  if (labels.notes.length > 0) deps.announce.notesChanged(ownerId, recordingId);
}
