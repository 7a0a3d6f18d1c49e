import type { UploadState } from '#contract/uploads-api.ts';
import { appendUpload, completeUpload, createUpload, headUpload } from '#contract/uploads-api.ts';
import { capabilityOf } from '#server/http/callers.ts';
import { route, type Route } from '#server/http/route.ts';
import type { UploadsService } from './uploads-service.ts';

/** Upload-Complete is a Structured Field boolean (RFC 9651 §3.3.6), as in the IETF draft on resumable uploads. */
const headersOf = (state: UploadState): Record<string, string> => ({
  'Upload-Offset': String(state.offset),
  'Upload-Complete': state.complete ? '?1' : '?0',
  'Upload-Epoch': String(state.epoch),
});

/** The four routes that transfer a take's bytes. */
export function uploadsRoutes(uploads: UploadsService): Route[] {
  return [
    route(createUpload, async (context) => {
      const { created, state } = await uploads.create(
        capabilityOf(context),
        context.params.uploadId,
        context.body,
      );
      return { status: created ? 201 : 200, body: state, headers: headersOf(state) };
    }),
    route(appendUpload, async (context) => {
      const {
        'upload-offset': offsetBytes,
        'upload-epoch': epoch,
        'content-digest': digest,
      } = context.headers;
      const piece = {
        offsetBytes,
        epoch,
        digestBase64: digest.slice('sha-256=:'.length, -1),
        bytes: context.bytes,
      };
      return {
        headers: headersOf(await uploads.append(capabilityOf(context), context.params.uploadId, piece)),
      };
    }),
    route(headUpload, async (context) => {
      const { digestBase64, ...state } = await uploads.state(capabilityOf(context), context.params.uploadId);
      return { headers: { ...headersOf(state), 'Repr-Digest': `sha-256=:${digestBase64}:` } };
    }),
    route(completeUpload, async (context) => ({
      body: await uploads.complete(capabilityOf(context), context.params.uploadId, context.body),
    })),
  ];
}
