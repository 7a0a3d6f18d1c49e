import { instantBounds } from '#base/instant.ts';
import { createTable, type Migration } from '#server/storage/database/migration.ts';
import { constrainNumbers } from '#server/storage/database/number-constraints.ts';

/**
 * Stores turns of users by lane: a job in one lane does not postpone the user's jobs in the others. `job_turns` stays
 * for servers of the version before.
 */
export const turnsByLaneMigration: Migration = {
  name: '0085-turns-by-lane',
  oldestCode: '0065-shares',
  async up(context) {
    const { text, integer } = context.types;
    await createTable(context, 'job_lane_turns')
      .addColumn('lane', text, (column) => column.notNull())
      .addColumn('turn_of', text, (column) => column.notNull())
      .addColumn('served_at', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('job_lane_turns_key', ['lane', 'turn_of'])
      .execute();
    await constrainNumbers(context, 'job_lane_turns', { served_at: instantBounds });
  },
};
