import type { Clock } from '#base/clock.ts';
import type { UploadCapability } from '#contract/recordings.ts';
import type { Identify } from '#server/http/principal.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import { type CapabilityOf, createCapabilities } from './capabilities.ts';
import { createStoredSegments, type StoredSegments } from './stored-segments.ts';
import type { Feature } from '#server/features/feature.ts';
import type { SessionTakes } from '#server/features/accounts/sessions/sessions-deps.ts';
import { createTakesOfSessions } from './takes-of-sessions.ts';
import { createUploadRegister } from './upload-register.ts';
import { uploadsRoutes } from './uploads-routes.ts';
import { createUploadsService, type UploadsDeps } from './uploads-service.ts';
import { createUploadsStore } from './uploads-store.ts';

/** The interface of the uploads feature for the rest of the server. */
export interface Uploads extends Feature {
  identifyUploadCapability: Identify['uploadCapability'];
  /** Issues an upload capability for an unfinished recording in the caller's transaction. */
  issueCapability(queries: Queries, of: CapabilityOf): Promise<UploadCapability>;
  /**
   * Revokes all capabilities of a recording in the caller's transaction. Call `forget` with `revoke` after the
   * commit.
   */
  revokeCapabilities(queries: Queries, recordingId: string): Promise<void>;
  takesOfSessions: SessionTakes;
  storedSegments: StoredSegments;
  /** Call after the commit of a state in which the database counts the recording's bytes. */
  settle: UploadsDeps['admission']['forget'];
  /** Drops the cached state of a recording that changed its state or was deleted; `revoke` also drops its tokens. */
  forget(recordingId: string, options?: { revoke: boolean }): void;
  removeExpiredCapabilities(): Promise<void>;
}

/** Builds the uploads feature. */
export function createUploads(deps: {
  access: UploadsDeps['access'];
  database: Database;
  blobs: BlobStore;
  clock: Clock;
  onAppended: UploadsDeps['onAppended'];
  onSealed: UploadsDeps['onSealed'];
  admission: UploadsDeps['admission'];
}): Uploads {
  const { access, database, blobs, clock, onAppended, onSealed, admission } = deps;
  const store = createUploadsStore(database);
  const capabilities = createCapabilities({ database, clock });
  const register = createUploadRegister({ store, blobs });
  return {
    routes: uploadsRoutes(
      createUploadsService({ access, store, register, blobs, clock, onAppended, onSealed, admission }),
    ),
    identifyUploadCapability: (token) => capabilities.identify(token),
    issueCapability: (queries, of) => capabilities.issue(queries, of),
    revokeCapabilities: (queries, recordingId) => capabilities.revoke(queries, recordingId),
    takesOfSessions: createTakesOfSessions({
      clock,
      onEnded: () => {
        capabilities.forgetAll();
      },
    }),
    settle: (ownerId, recordingId) => admission.forget(ownerId, recordingId),
    storedSegments: createStoredSegments({ store, blobs }),
    forget(recordingId, options) {
      register.forgetRecording(recordingId);
      if (options?.revoke) capabilities.forget(recordingId);
    },
    removeExpiredCapabilities: () => capabilities.removeExpired(),
  };
}
