import { changeMarker, createMarker, listMarkers, removeMarker } from '#contract/markers-api.ts';
import { route, type Route } from '#server/http/route.ts';
import { createMarkersService, type MarkersDeps } from './markers-service.ts';

/** The calls about markers. */
export function markersRoutes(deps: MarkersDeps): Route[] {
  const markers = createMarkersService(deps);
  return [
    route(listMarkers, async ({ principal, params }) => ({
      body: { items: await markers.list(principal, params.recordingId) },
    })),
    route(createMarker, async ({ principal, params, body }) => {
      const { created, marker } = await markers.create(principal, params.recordingId, body);
      return { status: created ? 201 : 200, body: marker };
    }),
    route(changeMarker, async ({ principal, params, body }) => ({
      body: await markers.change(principal, { id: params.markerId, recordingId: params.recordingId }, body),
    })),
    route(removeMarker, async ({ principal, params }) => {
      await markers.remove(principal, { id: params.markerId, recordingId: params.recordingId });
      return {};
    }),
  ];
}
