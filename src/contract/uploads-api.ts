import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { containerSchema } from './formats.ts';
import { limits } from './limits.ts';
import { durationMsSchema, idSchema, instantSchema, sha256Schema, wholeNumberSchema } from './values.ts';

/**
 * The upload protocol (design: a recording is an append-only byte file, and the server's copy is a prefix of the
 * device's). Header names and semantics follow the IETF resumable-upload draft; the digest is RFC 9530. A segment
 * has two streams, `audio` and `peaks`; each is an upload with its own id.
 */
export const uploadStreamSchema = z.enum(['audio', 'peaks']);
export type UploadStream = z.output<typeof uploadStreamSchema>;

/**
 * The request header for an upload capability. `Authorization: Bearer` works as well, if no proxy in front uses it
 * for its own sign-in.
 */
export const uploadCapabilityHeader = 'upload-capability';

export const partialUploadMediaType = 'application/partial-upload';

const offset = wholeNumberSchema(0, Number.MAX_SAFE_INTEGER);
/** The largest writer epoch. */
export const maxEpoch = 2 ** 31 - 1;
const epoch = wholeNumberSchema(1, maxEpoch);

export const createUploadSchema = z.strictObject({
  recordingId: idSchema,
  stream: uploadStreamSchema,
  segmentIndex: z.int().min(0).max(9999),
  /** Container of the audio stream; an import has one segment with `original`, the unchanged file. */
  container: containerSchema.default('ogg'),
  /** Start of the segment on the recording's timeline. */
  startMs: durationMsSchema,
  /** Writer epoch: a larger number takes the upload over, a smaller one is rejected. */
  epoch: z.int().min(1).max(maxEpoch),
});
export type CreateUpload = z.input<typeof createUploadSchema>;

export const uploadStateSchema = z.object({ offset: z.int().min(0), complete: z.boolean(), epoch: z.int() });
export type UploadState = z.output<typeof uploadStateSchema>;

/** Confirms that the server holds every byte of one upload durably. */
export const receiptSchema = z.object({
  uploadId: idSchema,
  lengthBytes: z.int().min(0),
  sha256: sha256Schema,
  storedAt: instantSchema,
});
export type Receipt = z.output<typeof receiptSchema>;

export const createUpload = endpoint('createUpload', {
  access: 'upload-capability',
  summary: 'Create an upload, or return how much of it is already stored; idempotent.',
  body: createUploadSchema,
  reply: uploadStateSchema,
  statuses: [200, 201],
  errors: [
    'validation',
    'upload-token-invalid',
    'forbidden',
    'writer-superseded',
    'already-finished',
    'rate-limited',
    'storage-full',
  ],
});

export const appendUpload = endpoint('appendUpload', {
  access: 'upload-capability',
  summary: `Append bytes at Upload-Offset; the response is sent only when they are durable. At most ${limits.appendSizeBytes} bytes.`,
  headers: z.object({
    'upload-offset': offset,
    'upload-epoch': epoch,
    'content-digest': z.string().regex(/^sha-256=:[A-Za-z0-9+/]{43}=:$/, { error: 'content-digest' }),
  }),
  bodyMediaType: partialUploadMediaType,
  statuses: [204],
  errors: [
    'validation',
    'upload-token-invalid',
    'forbidden',
    'not-found',
    'offset-mismatch',
    'writer-superseded',
    'already-finished',
    'too-large',
    'unsupported-media-type',
    'checksum-mismatch',
    'unreadable-audio',
    'quota-exceeded',
    'storage-full',
  ],
});

export const headUpload = endpoint('headUpload', {
  access: 'upload-capability',
  summary:
    'The number of stored bytes (Upload-Offset), their SHA-256 (Repr-Digest, RFC 9530), whether the upload is complete (Upload-Complete), and the epoch of its writer (Upload-Epoch).',
  statuses: [204],
  errors: ['upload-token-invalid', 'forbidden', 'not-found'],
});

export const completeUpload = endpoint('completeUpload', {
  access: 'upload-capability',
  summary: 'Seal an upload by its length and hash; returns the receipt. Idempotent.',
  body: z.strictObject({
    lengthBytes: z.int().min(0),
    sha256: sha256Schema,
    epoch: z.int().min(1).max(maxEpoch),
  }),
  reply: receiptSchema,
  statuses: [200],
  errors: [
    'validation',
    'upload-token-invalid',
    'forbidden',
    'not-found',
    'offset-mismatch',
    'checksum-mismatch',
    'writer-superseded',
  ],
});
