import type { Feature } from '#server/features/feature.ts';
import type { AnnotationsDeps } from './annotated-recording.ts';
import { labelsRoutes } from './labels.ts';
import { markersRoutes } from './markers.ts';
import { notesRoutes } from './notes.ts';
import { positionsRoutes } from './positions.ts';

/** Builds the annotations feature: markers, notes, many of both at once, and playback positions. */
export const createAnnotations = (deps: AnnotationsDeps): Feature => ({
  routes: [...markersRoutes(deps), ...notesRoutes(deps), ...labelsRoutes(deps), ...positionsRoutes(deps)],
});
