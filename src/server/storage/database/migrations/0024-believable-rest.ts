import { sql } from 'kysely';
import { instantBounds } from '#base/instant.ts';
import type { Migration } from '#server/storage/database/migration.ts';
import {
  isBroken,
  constrainNumbers,
  repairNumbers,
  type ColumnBounds,
  type BoundedColumns,
} from '#server/storage/database/number-constraints.ts';

const count: ColumnBounds = { min: 0, max: Number.MAX_SAFE_INTEGER };
const moment: ColumnBounds = instantBounds;
const momentOrNone: ColumnBounds = { ...instantBounds, instead: null };
const due: ColumnBounds = { ...instantBounds, instead: 0 };
const countFromZero: ColumnBounds = { ...count, instead: 0 };
const few: ColumnBounds = { min: 0, max: 1_000_000, instead: 0 };
/** 0 means not granted. */
const flag: ColumnBounds = { min: 0, max: 1, instead: 0 };

/**
 * Rights and steps that expire on their own. An unreadable one proves no right, so it is deleted and the user
 * starts again.
 */
const shortLived: Readonly<Record<string, BoundedColumns>> = {
  sessions: {
    created_at: moment,
    last_seen_at: moment,
    idle_ms: count,
    idle_expires_at: moment,
    absolute_expires_at: moment,
    auth_time: moment,
    second_factor_at: moment,
    proven_at: moment,
    notices_seen_at: moment,
  },
  oauth_flows: { remember: flag, is_set_up: flag, created_at: moment, expires_at: moment },
  auth_flows: { tries_left: few, created_at: moment, expires_at: moment },
  link_tokens: { created_at: moment, expires_at: moment },
  upload_capabilities: { created_at: moment, expires_at: moment },
  idempotency_keys: { status: { min: 100, max: 599 }, expires_at: moment },
  export_tickets: { expires_at: moment },
  job_turns: { served_at: moment },
};

const lasting: Readonly<Record<string, BoundedColumns>> = {
  // Null shows an announcement again instead of never.
  users: {
    created_at: moment,
    email_verified_at: moment,
    disabled_at: moment,
    notices_seen_at: momentOrNone,
  },
  credentials: { created_at: moment, updated_at: moment },
  identities: { linked_at: moment, last_used_at: moment },
  provider_notices: { received_at: moment },
  audit_events: { at: moment },
  passkeys: {
    counter: { min: 0, max: 0xffff_ffff, instead: 0 },
    backed_up: flag,
    created_at: moment,
    last_used_at: momentOrNone,
  },
  // A time step far in the future would reject every later code.
  totp: {
    last_step: { min: 0, max: Math.floor(instantBounds.max / 30_000), instead: 0 },
    created_at: moment,
  },
  login_failures: { failures: count, updated_at: moment },
  departed_users: { left_at: moment },
  purged_recordings: { purged_at: moment },
  // The next writer takes over the upload.
  uploads: { epoch: { min: 0, max: 2 ** 31 - 1, instead: 0 } },
  tags: { created_at: moment, words_version: countFromZero },
  saved_views: { created_at: moment },
  markers: { words_version: countFromZero },
  notes: { words_version: countFromZero },
  recording_words: { version: countFromZero },
  stale_words: { changes: countFromZero },
  // 0 makes a job due instead of never running it.
  jobs: {
    priority: { min: -1_000_000, max: 1_000_000, instead: 0 },
    attempts: few,
    run_at: due,
    lease_until: due,
    fence: countFromZero,
    deaths: few,
    created_at: moment,
    updated_at: moment,
  },
};

/** Applies the rule of 0015 and 0023 to every other table: accounts, rights, the library's order, jobs. */
export const believableRestMigration: Migration = {
  name: '0024-believable-rest',
  async up(context) {
    for (const [table, columns] of Object.entries(shortLived))
      await sql`delete from ${sql.table(table)} where ${isBroken(columns)}`.execute(context.transaction);
    for (const [table, columns] of Object.entries(lasting)) await repairNumbers(context, table, columns);
    for (const [table, columns] of Object.entries({ ...shortLived, ...lasting }))
      await constrainNumbers(context, table, columns);
  },
};
