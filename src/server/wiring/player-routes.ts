import { labelsRoutes } from '#server/features/labels/labels-routes.ts';
import { markersRoutes } from '#server/features/markers/markers-routes.ts';
import type { MarkersDeps } from '#server/features/markers/markers-service.ts';
import { notesRoutes } from '#server/features/notes/notes-routes.ts';
import { positionsRoutes } from '#server/features/positions/positions-routes.ts';
import type { Route } from '#server/http/route.ts';

/** The calls that a player makes beside those for the sound. */
export const playerRoutes = (deps: MarkersDeps): Route[] => [
  ...markersRoutes(deps),
  ...notesRoutes(deps),
  ...labelsRoutes(deps),
  ...positionsRoutes(deps),
];
