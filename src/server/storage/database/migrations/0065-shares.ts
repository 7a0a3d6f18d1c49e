import { instantBounds } from '#base/instant.ts';
import { maxSoundMs } from '#base/numbers/untrusted-numbers.ts';
import { createTable, type Migration, type MigrationContext } from '#server/storage/database/migration.ts';
import {
  type BoundedColumns,
  type ColumnBounds,
  constrainNumbers,
} from '#server/storage/database/number-constraints.ts';

const count: ColumnBounds = { min: 0, max: Number.MAX_SAFE_INTEGER };
const moment: ColumnBounds = instantBounds;
const length: ColumnBounds = { min: 0, max: maxSoundMs };
const flag: ColumnBounds = { min: 0, max: 1 };

async function createShares(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'shares')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('owner_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('recording_id', text, (column) =>
      column.notNull().references('recordings.id').onDelete('cascade'),
    )
    .addColumn('token_hash', text, (column) => column.notNull().unique())
    .addColumn('token_box', text, (column) => column.notNull())
    .addColumn('audience', text, (column) => column.notNull())
    .addColumn('title', text)
    .addColumn('message', text, (column) => column.notNull())
    .addColumn('from_ms', integer, (column) => column.notNull())
    .addColumn('to_ms', integer)
    .addColumn('shows', text, (column) => column.notNull())
    .addColumn('download', text, (column) => column.notNull())
    .addColumn('expires_at', integer)
    .addColumn('expiry_set_at', integer, (column) => column.notNull())
    .addColumn('max_listens', integer)
    .addColumn('live_delay_ms', integer)
    .addColumn('is_held_after_stop', integer, (column) => column.notNull())
    .addColumn('released_at', integer)
    .addColumn('embed', text)
    .addColumn('preview', text, (column) => column.notNull())
    .addColumn('recipient_label', text, (column) => column.notNull())
    .addColumn('password_hash', text)
    .addColumn('password_version', integer, (column) => column.notNull())
    .addColumn('wrong_passwords', integer, (column) => column.notNull())
    .addColumn('wrong_passwords_since', integer, (column) => column.notNull())
    .addColumn('password_locked_at', integer)
    .addColumn('open_count', integer, (column) => column.notNull())
    .addColumn('listen_count', integer, (column) => column.notNull())
    .addColumn('last_listened_at', integer)
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .addColumn('revision', integer, (column) => column.notNull())
    .addColumn('ended_at', integer)
    .execute();
  const { schema } = context.transaction;
  await schema.createIndex('shares_recording').on('shares').columns(['recording_id', 'id']).execute();
  await schema.createIndex('shares_owner').on('shares').columns(['owner_id', 'id']).execute();
}

async function createSharePeople(context: MigrationContext): Promise<void> {
  const { text } = context.types;
  await createTable(context, 'share_people')
    .addColumn('share_id', text, (column) => column.notNull().references('shares.id').onDelete('cascade'))
    .addColumn('email', text, (column) => column.notNull())
    .addColumn('email_key', text, (column) => column.notNull())
    .addColumn('user_id', text, (column) => column.references('users.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('share_people_key', ['share_id', 'email_key'])
    .execute();
  await context.transaction.schema
    .createIndex('share_people_user')
    .on('share_people')
    .column('user_id')
    .execute();
}

async function createShareUse(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'share_visits')
    .addColumn('visit_hash', text, (column) => column.primaryKey().notNull())
    .addColumn('share_id', text, (column) => column.notNull().references('shares.id').onDelete('cascade'))
    .addColumn('password_version', integer, (column) => column.notNull())
    .addColumn('listened_at', integer)
    .addColumn('expires_at', integer, (column) => column.notNull())
    .execute();
  await createTable(context, 'share_days')
    .addColumn('share_id', text, (column) => column.notNull().references('shares.id').onDelete('cascade'))
    .addColumn('day', text, (column) => column.notNull())
    .addColumn('open_count', integer, (column) => column.notNull())
    .addColumn('listen_count', integer, (column) => column.notNull())
    .addColumn('whole_listen_count', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('share_days_key', ['share_id', 'day'])
    .execute();
  await createTable(context, 'ended_links')
    .addColumn('token_hash', text, (column) => column.primaryKey().notNull())
    .addColumn('reason', text, (column) => column.notNull())
    .addColumn('expires_at', integer, (column) => column.notNull())
    .execute();
  await createTable(context, 'share_renditions')
    .addColumn('recording_id', text, (column) =>
      column.primaryKey().notNull().references('recordings.id').onDelete('cascade'),
    )
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('made_from', integer, (column) => column.notNull())
    .addColumn('size_bytes', integer, (column) => column.notNull())
    .execute();
  await createTable(context, 'share_m4a')
    .addColumn('share_id', text, (column) =>
      column.primaryKey().notNull().references('shares.id').onDelete('cascade'),
    )
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('fingerprint', text, (column) => column.notNull())
    .addColumn('size_bytes', integer, (column) => column.notNull())
    .execute();
  const { schema } = context.transaction;
  await schema.createIndex('share_visits_share').on('share_visits').column('share_id').execute();
  await schema.createIndex('share_visits_expiry').on('share_visits').column('expires_at').execute();
  await schema.createIndex('ended_links_expiry').on('ended_links').column('expires_at').execute();
}

const bounds: Readonly<Record<string, BoundedColumns>> = {
  shares: {
    from_ms: length,
    to_ms: length,
    expires_at: moment,
    expiry_set_at: moment,
    max_listens: count,
    live_delay_ms: length,
    is_held_after_stop: flag,
    released_at: moment,
    password_version: count,
    wrong_passwords: count,
    wrong_passwords_since: moment,
    password_locked_at: moment,
    open_count: count,
    listen_count: count,
    last_listened_at: moment,
    created_at: moment,
    updated_at: moment,
    revision: count,
    ended_at: moment,
  },
  share_visits: { password_version: count, listened_at: moment, expires_at: moment },
  share_days: { open_count: count, listen_count: count, whole_listen_count: count },
  ended_links: { expires_at: moment },
  share_renditions: { made_from: moment, size_bytes: count },
  share_m4a: { size_bytes: count },
};

/** Links that open recordings to others, and how they are used. */
export const sharesMigration: Migration = {
  name: '0065-shares',
  async up(context) {
    await createShares(context);
    await createSharePeople(context);
    await createShareUse(context);
    for (const [table, columns] of Object.entries(bounds)) await constrainNumbers(context, table, columns);
  },
};
