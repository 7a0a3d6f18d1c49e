import { maxSoundMs } from '#base/numbers/untrusted-numbers.ts';
import type { Migration } from '#server/storage/database/migration.ts';
import { constrainNumbers } from '#server/storage/database/number-constraints.ts';

/** Stores for how long the microphone of a take delivered silence. Nothing measured it for earlier takes. */
export const microphoneSilenceMigration: Migration = {
  name: '0088-microphone-silence',
  oldestCode: '0065-shares',
  async up(context) {
    const { transaction, types } = context;
    await transaction.schema
      .alterTable('recordings')
      .addColumn('microphone_silence_ms', types.integer)
      .execute();
    await constrainNumbers(context, 'recordings', {
      microphone_silence_ms: { min: 0, max: maxSoundMs },
    });
  },
};
