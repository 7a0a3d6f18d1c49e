import { createHash } from 'node:crypto';

/**
 * What happens to a request: it is answered, never arrives, arrives but its response is lost, or another server
 * answers.
 */
export type Fate = 'answered' | 'lost' | 'answer-lost' | Response;

interface StoredUpload {
  stream: string;
  epoch: number;
  bytes: Uint8Array;
  sealed: boolean;
}

interface ModelCall {
  method: string;
  path: string;
  headers: Headers;
  body: Uint8Array<ArrayBuffer>;
}

/** The server side of the upload protocol in memory, small enough to compare with the contract. */
export class ModelUploadServer {
  readonly uploads = new Map<string, StoredUpload>();
  readonly markers = new Map<string, { atMs: number; label: string }>();
  readonly passages = new Map<string, { fromMs: number; toMs: number | null }>();
  readonly notes = new Map<string, { fromMs: number; text: string }>();
  readonly calls: string[] = [];
  readonly finished: unknown[] = [];
  /**
   * Whether it is of a version before the cause `browser-busy`, `cutMs`, pauses that are stops, unknown lengths and
   * silence of the microphone.
   */
  rejectsNewCauses = false;
  token = 'token-1';
  /** The length that the server measures for the recording. */
  durationMs = 1234;
  /** Called before each request; set by a test. */
  fate: (call: ModelCall) => Fate = () => 'answered';
  maxConcurrency = 0;
  #underWay = new Map<string, number>();

  /** The worker's `fetch`. */
  readonly fetch: typeof fetch = async (input, init) => {
    if (typeof input !== 'string') throw new TypeError('the worker must request by path');
    const request = new Request(new URL(input, 'http://model.test'), init);
    const call = {
      method: request.method,
      path: new URL(request.url).pathname,
      headers: request.headers,
      body: new Uint8Array(await request.arrayBuffer()),
    };
    this.calls.push(`${call.method} ${call.path}`);
    this.#count(call.path, 1);
    try {
      const fate = this.fate(call);
      if (fate === 'lost') throw new TypeError('network error');
      if (fate instanceof Response) return fate;
      const response = this.#answer(call);
      if (fate === 'answer-lost') throw new TypeError('network error');
      return response;
    } finally {
      await Promise.resolve();
      this.#count(call.path, -1);
    }
  };

  /** The only upload of a stream. */
  stored(stream: 'audio' | 'peaks'): StoredUpload | undefined {
    return [...this.uploads.values()].find((upload) => upload.stream === stream);
  }

  #count(path: string, change: number): void {
    const count = (this.#underWay.get(path) ?? 0) + change;
    this.#underWay.set(path, count);
    this.maxConcurrency = Math.max(this.maxConcurrency, count);
  }

  #answer(call: ModelCall): Response {
    if (call.headers.get('upload-capability') !== this.token) return problem(401, 'upload-token-invalid');
    const [, , kind, id = '', action, partId = ''] = call.path.split('/');
    if (kind === 'uploads' && call.method === 'PUT') return this.#create(id, json(call));
    if (kind === 'uploads') return this.#onUpload(id, call);
    if (action === 'markers') return this.#mark(json(call));
    if (action === 'notes') return this.#note(json(call));
    if (action === 'passages') return this.#withhold(partId, json(call));
    return this.#finish(id, call);
  }

  #finish(id: string, call: ModelCall): Response {
    this.finished.push(json(call));
    if (
      this.rejectsNewCauses &&
      /"browser-busy"|"cutMs"|"stopped"|"durationMs":null|"microphoneSilenceMs"/u.test(
        new TextDecoder().decode(call.body),
      )
    )
      return problem(422, 'validation-failed');
    return [...this.uploads.values()].every(({ sealed }) => sealed)
      ? Response.json({ id, durationMs: this.durationMs })
      : problem(409, 'offset-mismatch');
  }

  #withhold(id: string, { atMs, toMs }: Record<string, unknown>): Response {
    const passage = { fromMs: Number(atMs) - 10, toMs: toMs === null ? null : Number(toMs) };
    this.passages.set(id, passage);
    return Response.json({ id, ...passage });
  }

  #note(note: Record<string, unknown>): Response {
    this.notes.set(String(note.id), { fromMs: Number(note.fromMs), text: String(note.text) });
    return Response.json(note, { status: 201 });
  }

  #mark(marker: Record<string, unknown>): Response {
    this.markers.set(String(marker.id), { atMs: Number(marker.atMs), label: String(marker.label) });
    return Response.json(marker, { status: 201 });
  }

  #create(id: string, creation: Record<string, unknown>): Response {
    const upload = this.uploads.get(id) ?? {
      stream: String(creation.stream),
      epoch: 0,
      bytes: new Uint8Array(),
      sealed: false,
    };
    if (Number(creation.epoch) < upload.epoch) return problem(409, 'writer-superseded');
    this.uploads.set(id, { ...upload, epoch: Number(creation.epoch) });
    return Response.json({
      offset: upload.bytes.length,
      complete: upload.sealed,
      epoch: Number(creation.epoch),
    });
  }

  #onUpload(id: string, call: ModelCall): Response {
    const upload = this.uploads.get(id);
    if (upload === undefined) return problem(404, 'not-found');
    if (call.method === 'HEAD') return stored(upload);
    return call.method === 'PATCH' ? append(upload, call) : complete(id, upload, json(call));
  }
}

/** A problem document of the contract. */
export function problem(status: number, code: string, headers: Record<string, string> = {}): Response {
  return Response.json(
    { type: `/problems/${code}`, title: code, status, instance: 'urn:uuid:0', code },
    { status, headers: { 'content-type': 'application/problem+json', ...headers } },
  );
}

function stored({ bytes }: StoredUpload): Response {
  const digest = createHash('sha256').update(bytes).digest('base64');
  return new Response(null, {
    status: 204,
    headers: { 'upload-offset': String(bytes.length), 'repr-digest': `sha-256=:${digest}:` },
  });
}

function append(upload: StoredUpload, { headers, body }: ModelCall): Response {
  const offset = { 'upload-offset': String(upload.bytes.length) };
  if (Number(headers.get('upload-epoch')) < upload.epoch) return problem(409, 'writer-superseded');
  if (upload.sealed) return problem(409, 'already-finished', offset);
  if (Number(headers.get('upload-offset')) !== upload.bytes.length)
    return problem(409, 'offset-mismatch', offset);
  if (headers.get('content-digest') !== `sha-256=:${createHash('sha256').update(body).digest('base64')}:`)
    return problem(422, 'checksum-mismatch');
  upload.bytes = Buffer.concat([upload.bytes, body]);
  return new Response(null, { status: 204, headers: { 'upload-offset': String(upload.bytes.length) } });
}

function complete(
  uploadId: string,
  upload: StoredUpload,
  { lengthBytes, sha256 }: Record<string, unknown>,
): Response {
  const truth = createHash('sha256').update(upload.bytes).digest('hex');
  if (lengthBytes !== upload.bytes.length)
    return problem(409, 'offset-mismatch', { 'upload-offset': String(upload.bytes.length) });
  if (sha256 !== truth) return problem(422, 'checksum-mismatch');
  upload.sealed = true;
  return Response.json({ uploadId, lengthBytes, sha256, storedAt: '2026-01-01T00:00:00.000Z' });
}

function json({ body }: ModelCall): Record<string, unknown> {
  const parsed: unknown = JSON.parse(new TextDecoder().decode(body));
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
}
