import { labelsRoutes } from '../features/labels/labels-routes.ts';
import { markersRoutes } from '../features/markers/markers-routes.ts';
import type { MarkersDeps } from '../features/markers/markers-service.ts';
import { notesRoutes } from '../features/notes/notes-routes.ts';
import { positionsRoutes } from '../features/positions/positions-routes.ts';
import type { Route } from '../http/route.ts';

/** The calls that a player makes beside those for the sound. */
export const playerRoutes = (deps: MarkersDeps): Route[] => [...markersRoutes(deps), ...notesRoutes(deps), ...labelsRoutes(deps), ...positionsRoutes(deps)];
