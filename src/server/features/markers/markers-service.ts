import type { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import { instantOf } from '#base/instant.ts';
import type { changeMarker, Marker, newMarkerSchema } from '#contract/markers-api.ts';
import type { Principal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { rejectField } from '#server/http/validation.ts';
import { knownColour } from '#server/storage/believable/known-words.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { MarkerRow } from '#server/storage/database/schema.ts';
import type { AdmitText } from '#server/storage/ownership/admit-text.ts';
import { exceededLimit } from '#server/storage/ownership/limited-rows.ts';
import {
  findBounds,
  latestMomentMs,
  type RecordingBounds,
} from '#server/storage/ownership/recording-bounds.ts';
import { lockRecordings, reindexRecording } from '#server/storage/search/search-index.ts';
import type { ChangeAnnouncer } from '#server/features/live/change-announcer.ts';
import * as store from './markers-store.ts';

export interface MarkersDeps {
  database: Database;
  clock: Clock;
  announce: ChangeAnnouncer;
  admitText: AdmitText;
}
type MarkerChange = z.output<typeof changeMarker.body>;

const present = (row: MarkerRow): Marker => ({
  id: row.id,
  recordingId: row.recording_id,
  atMs: row.at_ms,
  label: row.label,
  colour: knownColour(row.colour),
  createdAt: instantOf(row.created_at),
});

/** The recording that a caller may mark: its owner's session, or its own capability. */
async function markable(
  deps: MarkersDeps,
  principal: Principal | null,
  recordingId: string,
): Promise<RecordingBounds> {
  if (principal?.kind === 'upload-capability' && principal.recordingId !== recordingId)
    throw new ProblemError('forbidden');
  const recording = await findBounds(
    deps.database.queries,
    recordingId,
    principal?.kind === 'session' ? principal.userId : undefined,
  );
  if (!recording) throw new ProblemError('not-found');
  return recording;
}

const isOver = ({ state }: RecordingBounds): boolean => state !== 'receiving' && state !== 'abandoned';

/** A marker lies within its recording. */
function rejectBeyondEnd(recording: RecordingBounds, atMs: number): void {
  const largest = latestMomentMs(recording);
  if (atMs > largest) throw rejectField('/atMs', 'too-large', { largest });
}

/**
 * A bearer learns nothing of a marker but what it has just said itself: its owner may have renamed or moved
 * it since.
 */
function answerTo(
  principal: Principal | null,
  row: MarkerRow,
  { atMs, label, colour }: z.output<typeof newMarkerSchema>,
): Marker {
  const marker = present(row);
  return principal?.kind === 'session' ? marker : { ...marker, atMs, label, colour };
}

/** Whether a label takes more bytes than the one that is stored. */
async function isLonger(queries: Queries, id: string, label: string): Promise<boolean> {
  const before = await store.findMarker(queries, id);
  return before !== undefined && Buffer.byteLength(label) > Buffer.byteLength(before.label);
}

async function update(
  { database, admitText }: MarkersDeps,
  { id, recordingId, ownerId }: { id: string; recordingId: string; ownerId: string },
  change: store.MarkerChange,
): Promise<void> {
  const { label } = change;
  await database.transaction(async (transaction) => {
    await lockRecordings(transaction, [recordingId]);
    const longer = label !== undefined && (await isLonger(transaction, id, label));
    await store.updateMarker(transaction, { id, recordingId }, change);
    if (longer) await admitText(transaction, { recordingId, ownerId, mayExceedQuota: true });
    if (label !== undefined) await reindexRecording(transaction, recordingId);
  });
}

export interface MarkersService {
  list(principal: Principal | null, recordingId: string): Promise<Marker[]>;
  /**
   * A bearer adds markers to a take that is not finished; already-finished (409) afterwards, but for one that
   * is there.
   */
  create(
    principal: Principal | null,
    recordingId: string,
    marker: z.output<typeof newMarkerSchema>,
  ): Promise<{ created: boolean; marker: Marker }>;
  change(
    principal: Principal | null,
    marker: { id: string; recordingId: string },
    change: MarkerChange,
  ): Promise<Marker>;
  remove(principal: Principal | null, marker: { id: string; recordingId: string }): Promise<void>;
}

/** What may be done with markers. */
export function createMarkersService(deps: MarkersDeps): MarkersService {
  const { database, clock, announce } = deps;
  const { queries } = database;

  async function there(id: string, recordingId: string): Promise<MarkerRow | undefined> {
    const row = await store.findMarker(queries, id);
    if (row && row.recording_id !== recordingId) throw rejectField('/id', 'taken');
    return row;
  }

  return {
    async list(principal, recordingId) {
      await markable(deps, principal, recordingId);
      return (await store.listMarkers(queries, recordingId)).map(present);
    },
    async create(principal, recordingId, marker) {
      const recording = await markable(deps, principal, recordingId);
      const before = await there(marker.id, recordingId);
      if (before) return { created: false, marker: answerTo(principal, before, marker) };
      if (principal?.kind !== 'session' && isOver(recording)) throw new ProblemError('already-finished');
      rejectBeyondEnd(recording, marker.atMs);
      const added = {
        id: marker.id,
        recording_id: recordingId,
        at_ms: marker.atMs,
        label: marker.label,
        colour: marker.colour,
        created_by: recording.owner_id,
        created_at: clock.nowMs(),
      };
      await database.transaction(async (transaction) => {
        const full = await exceededLimit(database, transaction, { table: 'markers', recordingId, added: 1 });
        if (full) throw rejectField('/id', 'too-many', full);
        await store.insertMarker(transaction, added);
        if (marker.label !== '')
          await deps.admitText(transaction, {
            recordingId,
            ownerId: recording.owner_id,
            mayExceedQuota: true,
          });
        if (marker.label !== '') await reindexRecording(transaction, recordingId);
      });
      announce.markersChanged(recording.owner_id, recordingId);
      const row = await there(marker.id, recordingId);
      if (!row) throw new ProblemError('not-found');
      return { created: true, marker: answerTo(principal, row, marker) };
    },
    async change(principal, { id, recordingId }, { label, atMs, colour }) {
      const recording = await markable(deps, principal, recordingId);
      if (atMs !== undefined) rejectBeyondEnd(recording, atMs);
      const change = {
        ...(label === undefined ? {} : { label }),
        ...(atMs === undefined ? {} : { at_ms: atMs }),
        ...(colour === undefined ? {} : { colour }),
      };
      if (Object.keys(change).length > 0) {
        await update(deps, { id, recordingId, ownerId: recording.owner_id }, change);
      }
      const row = await store.findMarker(queries, id);
      if (row?.recording_id !== recordingId) throw new ProblemError('not-found');
      announce.markersChanged(recording.owner_id, recordingId);
      return present(row);
    },
    async remove(principal, marker) {
      const recording = await markable(deps, principal, marker.recordingId);
      await database.transaction(async (transaction) => {
        await lockRecordings(transaction, [marker.recordingId]);
        await store.deleteMarker(transaction, marker);
        await reindexRecording(transaction, marker.recordingId);
      });
      announce.markersChanged(recording.owner_id, marker.recordingId);
    },
  };
}
