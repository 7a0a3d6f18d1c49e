import { sql } from 'kysely';
import { instantBounds } from '#base/instant.ts';
import { maxSoundMs } from '#base/numbers/untrusted-numbers.ts';
import type { Migration, MigrationContext } from '#server/storage/database/migration.ts';
import {
  isBroken,
  constrainNumbers,
  repairNumbers,
  type ColumnBounds,
  type BoundedColumns,
} from '#server/storage/database/number-constraints.ts';

const count: ColumnBounds = { min: 0, max: Number.MAX_SAFE_INTEGER };
const length: ColumnBounds = { min: 0, max: maxSoundMs };
const checksum: ColumnBounds = { min: 0, max: 0xffff_ffff };

const exportColumns: BoundedColumns = {
  size_bytes: count,
  entry_count: count,
  directory_offset: count,
  directory_size: count,
  recording_count: count,
  left_out: count,
  created_at: instantBounds,
  expires_at: instantBounds,
};
const entryColumns: BoundedColumns = {
  position: count,
  size_bytes: count,
  crc32: checksum,
  offset_bytes: count,
  directory_bytes: count,
};

/**
 * Every length, count, size and moment that 0015 left out, by table. Sums maintained by triggers are not included:
 * a wrong sum must not make saving a note fail.
 */
const believable: Readonly<Record<string, BoundedColumns>> = {
  markers: { at_ms: length, created_at: instantBounds },
  notes: {
    from_ms: length,
    to_ms: length,
    revision: { min: 1, max: count.max },
    created_at: instantBounds,
    updated_at: instantBounds,
  },
  playback_positions: { position_ms: length, heard_at: instantBounds },
  imported_files: { file_size_bytes: count },
  quotas: { quota_bytes: count },
  announced_recordings: { size_bytes: count },
  recording_changes: { position: count, at: instantBounds, from_ms: length, duration_ms: count, count },
  account_exports: exportColumns,
  account_export_entries: entryColumns,
  upload_checksums: { crc32: checksum },
  uploads: {
    packet_samples: count,
    sealed_at: instantBounds,
    verified_at: instantBounds,
    damaged_at: instantBounds,
    created_at: instantBounds,
  },
  recordings: { distrusted_at: instantBounds },
};

interface HistoryPlace {
  recording_id: string;
  position: string;
}

/**
 * Positions of a history are part of its primary key, so two invalid ones must not get the same number. Each moves
 * to the first free position, which is its original one unless several of a history are invalid.
 */
async function moveBrokenHistory({ transaction }: MigrationContext): Promise<void> {
  const broken = sql`position not between 0 and ${sql.lit(count.max)}`;
  const { rows } =
    await sql<HistoryPlace>`select recording_id, cast(position as text) as position from recording_changes where ${broken} order by recording_id, recording_changes.position`.execute(
      transaction,
    );
  for (const [recordingId, places] of Map.groupBy(rows, ({ recording_id: id }) => id)) {
    const kept = await sql<{
      position: number;
    }>`select position from recording_changes where recording_id = ${recordingId} and not (${broken})`.execute(
      transaction,
    );
    const taken = new Set(kept.rows.map(({ position }) => position));
    let free = 0;
    for (const { position } of places) {
      while (taken.has(free)) free += 1;
      await sql`update recording_changes set position = ${sql.lit(free)} where recording_id = ${recordingId} and cast(position as text) = ${position}`.execute(
        transaction,
      );
      taken.add(free);
    }
  }
}

/**
 * Deletes export plans with invalid numbers: repaired offsets would give a broken ZIP, and positions identify the
 * entries. The user can start another export.
 */
async function dropBrokenExports({ transaction }: MigrationContext): Promise<void> {
  await sql`delete from account_exports where ${isBroken(exportColumns)} or id in (select export_id from account_export_entries where ${isBroken(entryColumns)})`.execute(
    transaction,
  );
}

/**
 * Applies the rule of 0015 to labels, positions, imports, exports and the history: impossible numbers are never
 * stored.
 */
export const believableLabelsMigration: Migration = {
  name: '0023-believable-labels',
  async up(context) {
    await dropBrokenExports(context);
    await moveBrokenHistory(context);
    for (const [table, columns] of Object.entries(believable)) await repairNumbers(context, table, columns);
    // A note clamped to the longest length may end where it starts; it becomes a moment.
    await sql`update notes set to_ms = null where to_ms <= from_ms`.execute(context.transaction);
    for (const [table, columns] of Object.entries(believable))
      await constrainNumbers(context, table, columns);
  },
};
