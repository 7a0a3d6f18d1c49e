import { addLabels, removeLabels } from '#contract/labels-api.ts';
import { sessionOf } from '#server/http/callers.ts';
import { route, type Route } from '#server/http/route.ts';
import { createLabelsService, type LabelsDeps } from './labels-service.ts';

/** The calls about many markers and notes of one recording. */
export function labelsRoutes(deps: LabelsDeps): Route[] {
  const labels = createLabelsService(deps);
  return [
    route(addLabels, async (context) => {
      const { markers = [], notes = [] } = context.body;
      return {
        body: {
          added: await labels.add(sessionOf(context).userId, context.params.recordingId, { markers, notes }),
        },
      };
    }),
    route(removeLabels, async (context) => {
      const { markerIds = [], noteIds = [] } = context.body;
      await labels.remove(sessionOf(context).userId, context.params.recordingId, { markerIds, noteIds });
      return {};
    }),
  ];
}
