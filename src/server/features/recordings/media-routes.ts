import { getAudio, getPeaks } from '#contract/recordings-api.ts';
import { sessionOf } from '../../http/callers.ts';
import { route, type Route } from '../../http/route.ts';
import { sendBytes } from '../../http/send-bytes.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { Database } from '../../storage/database/database.ts';
import type { StoredSegments } from '../uploads/stored-segments.ts';
import { audioOf, audioSource } from './audio-of.ts';
import type { OggSegmentReader } from './ogg-segment.ts';
import { createPyramidBuilder, storedPyramid } from './peaks-of.ts';
import { ownedRecording } from './recordings-service.ts';

export interface MediaRoutesDeps { database: Database; blobs: BlobStore; storedSegments: StoredSegments; measure: OggSegmentReader }

/** A file name for every system (RFC 6266 §4.3, RFC 8187): the plain one for old clients, the encoded one for the rest. */
function attachment(title: string): string {
  const name = `${title.replace(/[\\/:*?"<>|]/g, '-').replace(/^\.+/, '')}.opus`;
  const plain = name.normalize('NFKD').replace(/[^\x20-\x7e]/g, '').trim();
  const encoded = encodeURIComponent(name.toWellFormed()).replace(/['()*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${plain === '.opus' ? 'recording.opus' : plain}"; filename*=UTF-8''${encoded}`;
}

/** The calls that give out a recording's bytes. */
export function mediaRoutes({ database, blobs, storedSegments, measure }: MediaRoutesDeps): Route[] {
  const growingPyramid = createPyramidBuilder(blobs);
  return [
    route(getAudio, async (context) => {
      const recording = await ownedRecording(database, sessionOf(context).userId, context.params.recordingId);
      const pieces = await audioOf(await storedSegments(recording.id), measure);
      if (context.query.download === 'true') context.reply.header('Content-Disposition', attachment(recording.title));
      return sendBytes(context, audioSource(blobs, recording, pieces));
    }),
    route(getPeaks, async (context) => {
      const recording = await ownedRecording(database, sessionOf(context).userId, context.params.recordingId);
      const { points } = context.query;
      const stored = recording.state === 'ready' && (points === undefined || points >= recording.peaks_points) ? await storedPyramid(blobs, recording.id) : null;
      return sendBytes(context, stored ?? await growingPyramid(recording.id, await storedSegments(recording.id), points ?? Infinity));
    }),
  ];
}
