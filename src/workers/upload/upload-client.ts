import { second } from '#base/duration.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { createMarker, markerSchema, type NewMarker } from '#contract/markers-api.ts';
import { createNote, type NewNote, noteSchema } from '#contract/notes-api.ts';
import {
  finishReceiptSchema,
  type FinishRecording,
  type Gap,
  type Pause,
  type UploadCapability,
} from '#contract/recordings.ts';
import { type Passage, passageSchema, putPassage, type PutPassage } from '#contract/passages-api.ts';
import { finishRecording, nameGaps } from '#contract/recordings-api.ts';
import { pathOf } from '#contract/route-text.ts';
import {
  appendUpload,
  completeUpload,
  createUpload,
  type CreateUpload,
  headUpload,
  partialUploadMediaType,
  type Receipt,
  receiptSchema,
  uploadCapabilityHeader,
  type UploadState,
  uploadStateSchema,
} from '#contract/uploads-api.ts';
import type { Addition } from '#device/sync/sent-texts.ts';
import { contentDigest, hexOfDigestField } from './digests.ts';
import { readOffset, uploadErrorOf, UploadError } from './upload-error.ts';

const maxCallMs = 30 * second;

/** Just enough of a response to know that the server wrote it, and not a proxy. */
const storedSchema = markerSchema.pick({ id: true });
const storedNoteSchema = noteSchema.pick({ id: true });

const additionOf = ({ status }: Response): Addition => (status === 200 ? 'existing' : 'created');

export interface UploadPlace {
  uploadId: string;
  epoch: number;
}

interface Call {
  endpoint: Endpoint;
  params: Record<string, string>;
  headers?: Record<string, string>;
  body?: BodyInit;
}

/** The requests of the upload protocol with one capability; each succeeds or throws UploadError. */
export class UploadClient {
  readonly #fetch: typeof fetch;
  readonly #upload: UploadCapability;

  constructor(fetchFunction: typeof fetch, upload: UploadCapability) {
    this.#fetch = fetchFunction;
    this.#upload = upload;
  }

  /** The capability of these requests. */
  get upload(): UploadCapability {
    return this.#upload;
  }

  /** Creates an upload, or returns how much of it the server has. */
  async create(uploadId: string, creation: CreateUpload): Promise<UploadState> {
    const response = await this.#sendJson({ endpoint: createUpload, params: { uploadId } }, creation);
    return readReply(response, (reply) => uploadStateSchema.parse(reply));
  }

  /** Appends bytes at an offset. Returns the new offset, which is durable on the server. */
  async append(place: UploadPlace, offsetBytes: number, bytes: Uint8Array<ArrayBuffer>): Promise<number> {
    const response = await this.#send({
      endpoint: appendUpload,
      params: { uploadId: place.uploadId },
      body: bytes,
      headers: {
        'content-type': partialUploadMediaType,
        'upload-offset': String(offsetBytes),
        'upload-epoch': String(place.epoch),
        'content-digest': await contentDigest(bytes),
      },
    });
    const newOffsetBytes = readOffset(response);
    // Any other offset is not from the server: a proxy that answers instead has stored nothing.
    if (newOffsetBytes !== offsetBytes + bytes.length)
      throw new UploadError('server', 'the response to an append has a wrong offset or none');
    return newOffsetBytes;
  }

  /** The stored length of an upload and its SHA-256. */
  async stored(uploadId: string): Promise<{ lengthBytes: number; sha256: string }> {
    const response = await this.#send({ endpoint: headUpload, params: { uploadId } });
    const [lengthBytes, sha256] = [
      readOffset(response),
      hexOfDigestField(response.headers.get('repr-digest')),
    ];
    if (lengthBytes === null || sha256 === null)
      throw new UploadError('server', 'the response lacks the stored length or digest');
    return { lengthBytes, sha256 };
  }

  /** Seals an upload and returns the receipt. */
  async complete(place: UploadPlace, lengthBytes: number, sha256: string): Promise<Receipt> {
    const response = await this.#sendJson(
      { endpoint: completeUpload, params: { uploadId: place.uploadId } },
      { lengthBytes, sha256, epoch: place.epoch },
    );
    const receipt = await readReply(response, (reply) => receiptSchema.parse(reply));
    if (receipt.lengthBytes !== lengthBytes || receipt.sha256 !== sha256)
      throw new UploadError('digest', 'the receipt is for other bytes');
    return receipt;
  }

  /** Adds a marker to the recording. */
  async addMarker(recordingId: string, marker: NewMarker): Promise<Addition> {
    const response = await this.#sendJson({ endpoint: createMarker, params: { recordingId } }, marker);
    await readReply(response, (reply) => storedSchema.parse(reply));
    return additionOf(response);
  }

  /** Adds a note to the recording. */
  async addNote(recordingId: string, note: NewNote): Promise<Addition> {
    const response = await this.#sendJson({ endpoint: createNote, params: { recordingId } }, note);
    await readReply(response, (reply) => storedNoteSchema.parse(reply));
    return additionOf(response);
  }

  /** Takes a passage of the recording off the record, or ends it. Returns it as links withhold it. */
  async putPassage(recordingId: string, id: string, passage: PutPassage): Promise<Passage> {
    const call = { endpoint: putPassage, params: { recordingId, passageId: id } };
    return readReply(await this.#sendJson(call, passage), (reply) => passageSchema.parse(reply));
  }

  /** Finishes the recording. Returns its length in milliseconds, measured from the server's bytes. */
  async finish(recordingId: string, finished: FinishRecording): Promise<number> {
    const response = await this.#finishMeasured(recordingId, finished);
    return (await readReply(response, (reply) => finishReceiptSchema.parse(reply))).durationMs;
  }

  /** A server of an earlier version rejects the silence of the microphone, and gets the rest in its own terms. */
  async #finishMeasured(
    recordingId: string,
    { microphoneSilenceMs, ...finished }: FinishRecording,
  ): Promise<Response> {
    if (microphoneSilenceMs !== undefined) {
      try {
        return await this.#sendFinish(recordingId, { ...finished, microphoneSilenceMs });
      } catch (error) {
        if (!isInvalid(error)) throw error;
      }
    }
    return withKnownCauses(finished, (known) => this.#finish(recordingId, { ...finished, ...known }));
  }

  /** A server of an earlier version rejects null. There, 0 is the length of a recording that it has to measure. */
  async #finish(recordingId: string, finished: FinishRecording): Promise<Response> {
    try {
      return await this.#sendFinish(recordingId, finished);
    } catch (error) {
      if (finished.durationMs !== null || !isInvalid(error)) throw error;
      return this.#sendFinish(recordingId, { ...finished, durationMs: 0 });
    }
  }

  #sendFinish(recordingId: string, finished: FinishRecording): Promise<Response> {
    return this.#sendJson({ endpoint: finishRecording, params: { recordingId } }, finished);
  }

  /** Sends all gaps of a running take. */
  async nameGaps(recordingId: string, gaps: readonly Gap[]): Promise<void> {
    await withKnownCauses({ gaps, pauses: [] }, (known) =>
      this.#sendJson({ endpoint: nameGaps, params: { recordingId } }, { gaps: known.gaps }),
    );
  }

  #sendJson(call: Omit<Call, 'body' | 'headers'>, body: object): Promise<Response> {
    return this.#send({
      ...call,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  }

  async #send({ endpoint, params, headers, body }: Call): Promise<Response> {
    const response = await reaching(() =>
      this.#fetch(pathOf(endpoint, params), {
        method: endpoint.method,
        body: body ?? null,
        cache: 'no-store',
        // A gateway in front of the server recognises a browser by its cookies or its `Authorization`; the server
        // itself only checks the capability.
        credentials: 'same-origin',
        redirect: 'manual',
        headers: { [uploadCapabilityHeader]: this.#upload.token, accept: 'application/json', ...headers },
        signal: AbortSignal.timeout(maxCallMs),
      }),
    );
    const failure = await uploadErrorOf(response);
    if (failure !== null) throw failure;
    return response;
  }
}

/** Whether the server does not accept what a request states. */
const isInvalid = (error: unknown): boolean => error instanceof UploadError && error.kind === 'invalid';

/** Where a take has no sound, and where it was paused or stopped. */
interface Interruptions {
  gaps: readonly Gap[];
  pauses: readonly Pause[];
}

/**
 * Sends gaps and pauses. A server of an earlier version rejects what it does not know, and gets them in its own terms.
 */
async function withKnownCauses<T>(
  { gaps, pauses }: Interruptions,
  send: (known: { gaps: Gap[]; pauses: Pause[] }) => Promise<T>,
): Promise<T> {
  try {
    return await send({ gaps: [...gaps], pauses: [...pauses] });
  } catch (error) {
    const isNew =
      gaps.some(({ cause, cutMs }) => cause === 'browser-busy' || cutMs !== undefined) ||
      pauses.some(({ cause }) => cause !== undefined);
    if (!isNew || !isInvalid(error)) throw error;
    return send({
      gaps: gaps.map(gapOfEarlierVersion),
      pauses: pauses.map(({ atMs, durationMs }) => ({ atMs, durationMs })),
    });
  }
}

/** Players of that version skip a gap from 300 ms on. There is sound at a loss that takes no time. */
const maxUnskippedMs = 299;

const gapOfEarlierVersion = ({ atMs, durationMs, cutMs = 0, cause }: Gap): Gap => ({
  atMs,
  durationMs: durationMs > 0 ? durationMs : Math.min(cutMs, maxUnskippedMs),
  cause: cause === 'browser-busy' ? 'unknown' : cause,
});

async function readReply<T>(response: Response, parse: (reply: unknown) => T): Promise<T> {
  const text = await reaching(() => response.text());
  try {
    return parse(JSON.parse(text));
  } catch (cause) {
    throw new UploadError('server', 'the response does not match the contract', { cause });
  }
}

/**
 * `fetch` and reading a body reject only if the network failed. A request that timed out may have been too large
 * for the connection.
 */
async function reaching<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (cause) {
    const isSlow = cause instanceof Error && cause.name === 'TimeoutError';
    throw new UploadError(isSlow ? 'too-large' : 'offline', 'the server could not be reached', { cause });
  }
}
