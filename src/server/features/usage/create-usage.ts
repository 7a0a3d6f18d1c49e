import type { Route } from '../../http/route.ts';
import type { Database } from '../../storage/database/database.ts';
import { createQuota, type Quota } from './quota.ts';
import { usageRoutes } from './usage-routes.ts';

/** What the feature of room and its limits offers to the rest of the server. */
export interface Usage {
  routes: Route[];
  usageOf: Quota['usageOf'];
  admitImport: Quota['admitImport'];
  admitBytes: Quota['admitBytes'];
  admitText: Quota['admitText'];
}

/**
 * Wires the feature of room and its limits.
 * @param defaultQuotaBytes what holds for whoever was given nothing else; null where that is no limit
 */
export function createUsage(database: Database, defaultQuotaBytes: number | null): Usage {
  const quota = createQuota(database, defaultQuotaBytes);
  return { ...quota, routes: usageRoutes({ database, quota }) };
}
