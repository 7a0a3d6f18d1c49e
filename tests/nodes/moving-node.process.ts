import { setTimeout as delay } from 'node:timers/promises';
import '#server/main.ts';
import { second } from '#base/duration.ts';
import { readConfig } from '#server/config.ts';
import { s3SettingsOf } from '#server/start/tiered-blobs.ts';
import { S3ObjectStore } from '#server/storage/blobs/objects/s3-object-store.ts';
import {
  buildTieredBlobStore,
  type TieredBlobStoreOptions,
} from '#server/storage/blobs/tiered/open-tiered-blob-store.ts';

// The server as users run it, which also moves tails long before they are due, so that it is killed in the middle of
// moves.
const config = readConfig(process.env);
const settings = s3SettingsOf(config);
if (settings === null) throw new Error('this node needs STORAGE_URL=s3:');
const objects = new S3ObjectStore(settings);
const options: TieredBlobStoreOptions = {
  databaseUrl: config.databaseUrl,
  objects,
  limitBytes: config.hotLimitBytes,
  // Leaves the files of the store of the server alone.
  isReader: true,
  due: { atBytes: 64 * 1024, afterMs: 20_000, everyMs: 40_000 },
};
// PostgreSQL may be restarting just now.
for (;;) {
  const built = await buildTieredBlobStore(options).catch(() => null);
  built?.background.start();
  if (built !== null) break;
  await delay(second);
}
