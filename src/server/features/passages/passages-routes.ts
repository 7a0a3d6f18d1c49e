import { putPassage as putEndpoint, releasePassage as releaseEndpoint } from '#contract/passages-api.ts';
import { route, type Route } from '#server/http/route.ts';
import { putPassage, type PassagesDeps } from './put-passage.ts';
import { releasePassage } from './release-passage.ts';

/** The routes for passages off the record. */
export const passagesRoutes = (deps: PassagesDeps): Route[] => [
  route(putEndpoint, async ({ principal, params, body }) => {
    const { created, passage } = await putPassage(deps, principal, {
      ...body,
      id: params.passageId,
      recordingId: params.recordingId,
    });
    return { status: created ? 201 : 200, body: passage };
  }),
  route(releaseEndpoint, async ({ principal, params }) => {
    await releasePassage(deps, principal, { id: params.passageId, recordingId: params.recordingId });
    return {};
  }),
];
