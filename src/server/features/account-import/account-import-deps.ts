import type { Clock } from '#base/clock.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { RecordingAccess } from '#server/features/access/recording-access.ts';
import type { ChangeAnnouncer } from '#server/features/live/change-announcer.ts';
import type { Uploads } from '#server/features/uploads/create-uploads.ts';
import type { Usage } from '#server/features/usage/create-usage.ts';

export interface AccountImportDeps {
  access: RecordingAccess;
  database: Database;
  clock: Clock;
  uploads: Pick<Uploads, 'issueCapability'>;
  usage: Pick<Usage, 'usageOf' | 'admitBytes' | 'admitText'>;
  announce: Pick<
    ChangeAnnouncer,
    'recordingChanged' | 'libraryChanged' | 'markersChanged' | 'notesChanged' | 'transcriptChanged'
  >;
  /** Whether the query is valid for a saved view. */
  isViewQuery: (query: string) => boolean;
}
