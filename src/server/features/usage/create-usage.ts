import type { Feature } from '#server/features/feature.ts';
import type { Clock } from '#base/clock.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { DiskReserve } from '#server/storage/blobs/disk-reserve.ts';
import type { Database } from '#server/storage/database/database.ts';
import { createAppendAdmission, type AppendAdmission } from './admit-append.ts';
import { LandedBytes } from './landed-bytes.ts';
import { createQuota, type Quota } from './quota.ts';
import { usageRoutes } from './usage-routes.ts';

/** The interface of the usage feature for the rest of the server. */
export interface Usage extends Feature {
  usageOf: Quota['usageOf'];
  admitImport: Quota['admitImport'];
  admitBytes: Quota['admitBytes'];
  admitText: Quota['admitText'];
  admission: AppendAdmission;
}

/**
 * Builds the usage feature.
 * @param defaultQuotaBytes the quota of users without their own; null for no limit
 */
export function createUsage(
  {
    database,
    blobs,
    clock,
    reserve,
  }: { database: Database; blobs: BlobStore; clock: Clock; reserve: DiskReserve },
  defaultQuotaBytes: number | null,
): Usage {
  const landed = new LandedBytes(blobs);
  const quota = createQuota(database, { defaultBytes: defaultQuotaBytes, landed, reserve });
  return {
    ...quota,
    admission: createAppendAdmission({ queries: database.queries, clock, landed, quota, reserve }),
    routes: usageRoutes({ database, quota, landed }),
  };
}
