import { getAudio, getOriginal, getPeaks } from '#contract/recordings-api.ts';
import { route, type Route, type RouteContext } from '#server/http/route.ts';
import { attachment } from '#server/http/attachment.ts';
import { sendBytes } from '#server/http/send-bytes.ts';
import { nameInFiles } from '#server/storage/rows/stored-time.ts';
import { etagsOfRecording, type ServedRecording } from './etags.ts';
import { createPyramidBuilder, storedPyramid } from './peaks-of.ts';
import { type PlayableDeps, playableOf, playableSection } from './playable-of.ts';
import type { RecordingSources } from './recording-sources.ts';
import { type CallerDeps, callerRecording } from '#server/features/recordings/caller-recording.ts';

export type MediaRoutesDeps = PlayableDeps & CallerDeps & { sources: RecordingSources };

type MediaRequest = Pick<RouteContext<typeof getAudio>, 'principal' | 'params'>;

/** The routes that serve a recording's bytes. */
export function mediaRoutes(deps: MediaRoutesDeps): Route[] {
  const { blobs, storedSegments, sources } = deps;
  const growingPyramid = createPyramidBuilder(blobs);

  async function open({ principal, params }: MediaRequest): Promise<ServedRecording> {
    const recording = await callerRecording(deps, principal, { id: params.recordingId, right: 'listen' });
    return { recording, etagOf: etagsOfRecording(recording) };
  }

  return [
    route(getAudio, async (context) => {
      const served = await open(context);
      const { recording } = served;
      if (context.query.section !== undefined)
        return sendBytes(context, await playableSection(deps, served, context.query.section));
      const { source, extension } = await playableOf(deps, served, await storedSegments(recording.id));
      if (context.query.download === 'true')
        context.reply.header('Content-Disposition', attachment(`${nameInFiles(recording)}${extension}`));
      return sendBytes(context, source);
    }),
    route(getOriginal, async (context) => {
      const { recording, original } = await sources(context.principal, context.params.recordingId);
      context.reply.header(
        'Content-Disposition',
        attachment(recording.file_name ?? `${nameInFiles(recording)}.opus`),
      );
      return sendBytes(context, original);
    }),
    route(getPeaks, async (context) => {
      const served = await open(context);
      const { recording } = served;
      const { points } = context.query;
      const stored =
        recording.state === 'ready' && (points === undefined || points >= recording.peaks_points)
          ? await storedPyramid(blobs, served)
          : null;
      return sendBytes(
        context,
        stored ?? (await growingPyramid(served, await storedSegments(recording.id), points ?? Infinity)),
      );
    }),
  ];
}
