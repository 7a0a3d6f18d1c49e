import type { Clock } from '#base/clock.ts';
import {
  changeManyRecordings,
  changeTag,
  changeView,
  createTag,
  createView,
  getFacets,
  listRecordingIds,
  listTags,
  listViews,
  removeTag,
  removeView,
  setFavourite,
} from '#contract/library-api.ts';
import { listRecordings } from '#contract/recordings-api.ts';
import { sessionOf } from '#server/http/callers.ts';
import { route, type Route } from '#server/http/route.ts';
import type { JobQueue } from '#server/jobs/job-queue.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { RecordingAccess } from '#server/features/access/recording-access.ts';
import type { Feature } from '#server/features/feature.ts';
import type { ChangeAnnouncer } from '#server/features/live/change-announcer.ts';
import type { Recordings } from '#server/features/recordings/create-recordings.ts';
import { createChangeMany } from './bulk-service.ts';
import { facetsOf } from './facets.ts';
import { setFavouriteOf } from './favourites.ts';
import { findIds, findPage } from './find-recordings.ts';
import { withHits } from './search-hits.ts';
import { enqueueIndexing, indexJobHandler, watchForStale } from './index-job.ts';
import { createTagsService, type TagsService } from './tags-service.ts';
import { createViewsService, isViewQuery, type ViewsService } from './views-service.ts';

export interface LibraryDeps {
  access: RecordingAccess;
  database: Database;
  clock: Clock;
  queue: JobQueue;
  announce: ChangeAnnouncer;
  recordings: Pick<Recordings, 'presentMany' | 'purgeTrashed'>;
}

/** The interface of the library feature for the rest of the server. */
export interface Library extends Feature {
  /** Whether the list supports this query. */
  isViewQuery: (query: string) => boolean;
}

const tagRoutes = (tags: TagsService): Route[] => [
  route(listTags, async (context) => ({ body: { items: await tags.list(sessionOf(context).userId) } })),
  route(createTag, async (context) => {
    const { created, tag } = await tags.create(sessionOf(context).userId, context.body);
    return { status: created ? 201 : 200, body: tag };
  }),
  route(changeTag, async (context) => ({
    body: await tags.change(sessionOf(context).userId, context.params.tagId, context.body),
  })),
  route(removeTag, async (context) => {
    await tags.remove(sessionOf(context).userId, context.params.tagId);
    return {};
  }),
];

const viewRoutes = (views: ViewsService): Route[] => [
  route(listViews, async (context) => ({ body: { items: await views.list(sessionOf(context).userId) } })),
  route(createView, async (context) => {
    const { created, view } = await views.create(sessionOf(context).userId, context.body);
    return { status: created ? 201 : 200, body: view };
  }),
  route(changeView, async (context) => ({
    body: await views.change(sessionOf(context).userId, context.params.viewId, context.body),
  })),
  route(removeView, async (context) => {
    await views.remove(sessionOf(context).userId, context.params.viewId);
    return {};
  }),
];

/** Builds the library feature: the list, its search and filters, tags, saved views, favourites, and bulk actions. */
export function createLibrary(deps: LibraryDeps): Library {
  const { database, queue, recordings } = deps;
  let stopWatching = (): void => undefined;
  const changeMany = createChangeMany({ ...deps, purgeTrashed: (ids) => recordings.purgeTrashed(ids) });
  return {
    routes: [
      route(listRecordings, async (context) => {
        const { search: typed = '', hits } = context.query;
        const present = async (ids: readonly string[]) =>
          withHits(database, await recordings.presentMany(ids), {
            typed,
            showsTranscripts: hits === 'transcript',
          });
        return {
          body: await findPage(database, {
            ownerId: sessionOf(context).userId,
            query: context.query,
            present,
          }),
        };
      }),
      route(listRecordingIds, async (context) => ({
        body: { ids: await findIds(database, sessionOf(context).userId, context.query) },
      })),
      route(getFacets, async (context) => ({ body: await facetsOf(database, sessionOf(context).userId) })),
      route(changeManyRecordings, async (context) => ({
        body: await changeMany(sessionOf(context), context.body),
      })),
      route(setFavourite, async (context) => {
        await setFavouriteOf(deps, sessionOf(context), {
          recordingId: context.params.recordingId,
          ...context.body,
        });
        return {};
      }),
      ...tagRoutes(createTagsService(deps)),
      ...viewRoutes(createViewsService(deps)),
    ],
    jobs: [indexJobHandler(database)],
    isViewQuery,
    // Updates the search index: once now, and whenever it falls behind.
    async start() {
      await enqueueIndexing(queue, database);
      stopWatching();
      stopWatching = watchForStale(queue, database);
    },
    stop() {
      stopWatching();
    },
  };
}
