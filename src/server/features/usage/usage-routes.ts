import { checkImports, getStorage } from '#contract/storage-api.ts';
import { sessionOf } from '#server/http/callers.ts';
import { route, type Route } from '#server/http/route.ts';
import type { Database } from '#server/storage/database/database.ts';
import { answerImportCheck } from './check-imports.ts';
import type { LandedBytes } from './landed-bytes.ts';
import type { Quota } from './quota.ts';
import { storageReport } from './storage-report.ts';

/** The routes for storage usage, and the check before an import. */
export function usageRoutes({
  database,
  quota,
  landed,
}: {
  database: Database;
  quota: Quota;
  landed: LandedBytes;
}): Route[] {
  const { queries } = database;
  return [
    route(checkImports, async (context) => {
      const { userId } = sessionOf(context);
      const usage = await quota.usageOf(queries, userId);
      return {
        body: {
          ...usage,
          files: await answerImportCheck(queries, userId, { files: context.body.files, usage }),
        },
      };
    }),
    route(getStorage, async (context) => {
      const { userId } = sessionOf(context);
      return {
        body: await storageReport(database, userId, { ...(await quota.usageOf(queries, userId)), landed }),
      };
    }),
  ];
}
