import { createExports, type ExportsDeps, exportSchedules } from '#server/features/exports/create-exports.ts';
import { createAccountImport } from '#server/features/account-import/create-account-import.ts';
import type { AccountImportDeps } from '#server/features/account-import/account-import-deps.ts';
import type { Route } from '#server/http/route.ts';
import type { JobHandler } from '#server/jobs/job-queue.ts';

/** How recordings leave an installation, and how a whole account comes to another one. */
export function createPortability(deps: ExportsDeps & AccountImportDeps): {
  routes: Route[];
  jobs: JobHandler[];
  schedules: typeof exportSchedules;
} {
  const exporting = createExports(deps);
  return {
    routes: [...exporting.routes, ...createAccountImport(deps).routes],
    jobs: exporting.jobs,
    schedules: exportSchedules,
  };
}
