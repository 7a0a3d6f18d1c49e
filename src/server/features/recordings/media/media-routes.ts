import { getAudio, getOriginal, getPeaks } from '#contract/recordings-api.ts';
import { sessionOf } from '#server/http/callers.ts';
import { route, type Route } from '#server/http/route.ts';
import { attachment } from '#server/http/attachment.ts';
import { sendBytes } from '#server/http/send-bytes.ts';
import { nameInFiles } from '#server/storage/rows/stored-time.ts';
import type { Database } from '#server/storage/database/database.ts';
import { createPyramidBuilder, storedPyramid } from './peaks-of.ts';
import { type PlayableDeps, playableOf, playableSection } from './playable-of.ts';
import type { RecordingSources } from './recording-sources.ts';
import { ownedRecording } from '#server/features/recordings/recordings-service.ts';

export type MediaRoutesDeps = PlayableDeps & { database: Database; sources: RecordingSources };

/** The routes that serve a recording's bytes. */
export function mediaRoutes({ database, sources, ...deps }: MediaRoutesDeps): Route[] {
  const { blobs, storedSegments } = deps;
  const growingPyramid = createPyramidBuilder(blobs);
  return [
    route(getAudio, async (context) => {
      const recording = await ownedRecording(database, sessionOf(context).userId, context.params.recordingId);
      if (context.query.section !== undefined)
        return sendBytes(context, await playableSection(deps, recording, context.query.section));
      const { source, extension } = await playableOf(deps, recording, await storedSegments(recording.id));
      if (context.query.download === 'true')
        context.reply.header('Content-Disposition', attachment(`${nameInFiles(recording)}${extension}`));
      return sendBytes(context, source);
    }),
    route(getOriginal, async (context) => {
      const { recording, original } = await sources(sessionOf(context).userId, context.params.recordingId);
      context.reply.header(
        'Content-Disposition',
        attachment(recording.file_name ?? `${nameInFiles(recording)}.opus`),
      );
      return sendBytes(context, original);
    }),
    route(getPeaks, async (context) => {
      const recording = await ownedRecording(database, sessionOf(context).userId, context.params.recordingId);
      const { points } = context.query;
      const stored =
        recording.state === 'ready' && (points === undefined || points >= recording.peaks_points)
          ? await storedPyramid(blobs, recording)
          : null;
      return sendBytes(
        context,
        stored ??
          (await growingPyramid(recording.id, await storedSegments(recording.id), points ?? Infinity)),
      );
    }),
  ];
}
