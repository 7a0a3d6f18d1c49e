import type { Clock } from '#base/clock.ts';
import type { Database } from '../../storage/database/database.ts';
import type { ChangeAnnouncer } from '../live/change-announcer.ts';
import type { Uploads } from '../uploads/create-uploads.ts';
import type { Usage } from '../usage/create-usage.ts';

export interface RestoresDeps {
  database: Database;
  clock: Clock;
  uploads: Pick<Uploads, 'issueCapability'>;
  usage: Pick<Usage, 'usageOf' | 'admitBytes' | 'admitText'>;
  announce: Pick<ChangeAnnouncer, 'recordingChanged' | 'libraryChanged' | 'markersChanged' | 'notesChanged'>;
  /** Whether the library could show this as a saved view. */
  isViewQuery: (query: string) => boolean;
}
