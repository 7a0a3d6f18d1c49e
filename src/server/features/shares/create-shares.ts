import type { Clock } from '#base/clock.ts';
import type { RecordingAccess } from '#server/features/access/recording-access.ts';
import type { SecretBox } from '#server/features/accounts/challenges/secret-box.ts';
import type { RecordAccountEvent } from '#server/features/accounts/audit-log.ts';
import type { Passwords } from '#server/features/accounts/credentials/passwords.ts';
import type { IsClientNetwork } from '#server/http/client-network.ts';
import type { WindowConverter } from '#server/features/exports/convert/convert-window.ts';
import type { Conversions } from '#server/features/exports/convert/conversions.ts';
import type { ChangeAnnouncer } from '#server/features/live/change-announcer.ts';
import type { Recordings } from '#server/features/recordings/create-recordings.ts';
import type { Identify } from '#server/http/principal.ts';
import type { Feature } from '#server/features/feature.ts';
import type { JobQueue } from '#server/jobs/job-queue.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { Database } from '#server/storage/database/database.ts';
import { isUnfinished } from '#server/storage/rows/unfinished.ts';
import { createIdentifyShare } from './links/identify-share.ts';
import { linkRoutes } from './links/link-routes.ts';
import { LinkThrottle } from './links/link-throttle.ts';
import { LinkWatch, type Shown } from './links/link-watch.ts';
import { OpenCounts } from './links/open-counts.ts';
import { OpenLinks } from './links/open-links.ts';
import { VisitCookies } from './links/visits.ts';
import { downloadShareRoute } from './media/download-share.ts';
import { m4aJobs } from './media/m4a-rendition.ts';
import { sharedMediaRoutes } from './media/shared-media-routes.ts';
import { LabelDigests } from './media/shared-labels.ts';
import { shownVersionOf } from './media/shared-recording.ts';
import { sharedSoundOf } from './media/shared-sound.ts';
import type { ListeningFiles } from './page/listening-files.ts';
import { pageRoutes } from './page/page-routes.ts';
import { renderListeningProblem } from './page/problem-page.ts';
import { previewRoutes } from './preview/preview-routes.ts';
import { sharesRoutes } from './owner/shares-routes.ts';
import { sharingAdminRoutes } from './owner/sharing-admin-routes.ts';
import { type StoredShare } from './shares-store.ts';
import { createListenedUntil } from './listened-until.ts';
import { shareSchedules, sweepSharesJob } from './sweep-shares.ts';

export interface SharesFeatureDeps {
  access: RecordingAccess;
  database: Database;
  /** Stops at the disk reserve. */
  blobs: BlobStore;
  clock: Clock;
  queue: JobQueue;
  secrets: SecretBox;
  announce: ChangeAnnouncer;
  passwords: Pick<Passwords, 'hash' | 'verify'>;
  recordings: Pick<Recordings, 'find' | 'view' | 'receivedMs' | 'sources' | 'windowOf' | 'sharedRenditions'>;
  converter: WindowConverter;
  conversions: Pick<Conversions, 'open' | 'isAwaited'>;
  recordEvent: RecordAccountEvent;
  isClientNetwork: IsClientNetwork;
  /** The address of this server, and that of links if it is another one. */
  publicUrl: string;
  shareUrl: string | null;
  /** The script and the style sheet of the listening page. */
  files: ListeningFiles;
  /** How many responses listeners may have open together. */
  maxStreams: number;
  /** Called if the links or a recording can't be read; they are read again. */
  onError: (error: unknown) => void;
}

/** The interface of the shares feature for the rest of the server. */
export interface Shares extends Feature {
  identify: NonNullable<Identify['share']>;
  /** Up to where the listeners of a recording's live links may have listened. */
  listenedUntilMs: ReturnType<typeof createListenedUntil>;
  /** Ends and updates what listeners have open in this process, as it happens twice a second. */
  checkLinks(): Promise<void>;
}

/** Builds the shares feature. */
export function createShares(deps: SharesFeatureDeps): Shares {
  const { database, clock, isClientNetwork, recordings, converter } = deps;
  const { receivedMs } = recordings;
  const throttle = new LinkThrottle({ clock, isClientNetwork });
  const visits = new VisitCookies(deps.publicUrl);
  const open = new OpenLinks({ isClientNetwork, max: deps.maxStreams });
  const sound = {
    ...deps,
    findRecording: recordings.find,
    windowOf: recordings.windowOf,
    renditions: recordings.sharedRenditions,
  };
  const media = {
    ...sound,
    open,
    present: {
      labelDigests: new LabelDigests(database.queries),
      canConvert: () => converter.isAvailable(),
      gapsOf: async (row: Parameters<Recordings['view']['details']>[0]) =>
        (await recordings.view.details(row)).gaps,
    },
  };

  async function shownOf(share: StoredShare): Promise<Shown> {
    const shared = await sharedSoundOf(sound, share);
    const { recording, window } = shared;
    return {
      version: await shownVersionOf(media.present, share, shared),
      growth: isUnfinished(recording)
        ? { durationMs: window?.durationMs ?? 0, isOffRecord: window?.isWithheld === true }
        : null,
    };
  }

  const watch = new LinkWatch({
    database,
    clock,
    open,
    shownOf,
    onListening: (share) => deps.announce.sharesChanged(share.owner_id, share.recording_id),
  });
  const openCounts = new OpenCounts({ database, clock });
  const onChanged = (): Promise<void> => watch.endNow();
  const links = { ...deps, throttle, visits, renderProblem: renderListeningProblem(deps) };
  return {
    routes: [
      ...sharesRoutes({ ...media, throttle, receivedMs, onChanged }),
      ...sharingAdminRoutes({ ...media, receivedMs, onChanged }),
      ...linkRoutes(links),
      ...pageRoutes({ ...media, openCounts }),
      ...previewRoutes({ ...media, throttle }),
      ...sharedMediaRoutes(media),
      downloadShareRoute({
        ...media,
        isClientNetwork,
        sources: recordings.sources,
        conversions: deps.conversions,
      }),
    ],
    identify: createIdentifyShare(links),
    listenedUntilMs: createListenedUntil({ clock, receivedMs }),
    jobs: [...m4aJobs(media), sweepSharesJob(deps)],
    schedules: shareSchedules,
    mount(app) {
      app.addHook('preClose', async () => {
        for (const link of open.all()) if (link.kind === 'events') link.end();
      });
    },
    start() {
      watch.start(deps.onError);
    },
    async stop() {
      await watch.stop();
      // After the last request.
      await openCounts.stop();
    },
    checkLinks: () => watch.check(),
  };
}
