import type { Clock } from '#base/clock.ts';
import type { RecordingAccess } from '#server/features/access/recording-access.ts';
import type { SecretBox } from '#server/features/accounts/challenges/secret-box.ts';
import type { RecordAccountEvent } from '#server/features/accounts/audit-log.ts';
import type { Passwords } from '#server/features/accounts/credentials/passwords.ts';
import type { ChangeAnnouncer } from '#server/features/live/change-announcer.ts';
import type { Recordings } from '#server/features/recordings/create-recordings.ts';
import type { Route } from '#server/http/route.ts';
import type { Database } from '#server/storage/database/database.ts';
import { sharesRoutes } from './owner/shares-routes.ts';
import { sharingAdminRoutes } from './owner/sharing-admin-routes.ts';

export interface SharesFeatureDeps {
  access: RecordingAccess;
  database: Database;
  clock: Clock;
  secrets: SecretBox;
  announce: ChangeAnnouncer;
  passwords: Pick<Passwords, 'hash'>;
  recordings: Pick<Recordings, 'sharedRenditions'>;
  recordEvent: RecordAccountEvent;
  /** The address of this server, and that of links if it is another one. */
  publicUrl: string;
  shareUrl: string | null;
}

/** Builds the shares feature. */
export function createShares(deps: SharesFeatureDeps): { routes: Route[] } {
  const onChanged = (): Promise<void> => Promise.resolve();
  const renditions = deps.recordings.sharedRenditions;
  return {
    routes: [
      ...sharesRoutes({ ...deps, renditions, onChanged }),
      ...sharingAdminRoutes({ ...deps, onChanged }),
    ],
  };
}
