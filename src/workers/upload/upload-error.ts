import { type ForeignAnswer, sourceOfAnswer } from '#contract/answer-source.ts';

/**
 * Why a call of the upload protocol did not succeed, by what has to be done about it:
 * `offline` wait for the network · `gate` wait until the proxy in front of the server lets calls through ·
 * `rejected` wait for a new capability · `offset` continue from the server's offset · `unknown` create the
 * upload again · `finished` it is sealed already · `too-large` send less at once · `digest` the bytes were
 * damaged in transit, or are not ours · `invalid` this will never be accepted · `full` the server's disk is
 * full: wait until it has space · `server` wait and try again.
 */
export type UploadErrorKind =
  | 'offline'
  | 'gate'
  | 'rejected'
  | 'offset'
  | 'unknown'
  | 'finished'
  | 'too-large'
  | 'digest'
  | 'invalid'
  | 'full'
  | 'server';

export class UploadError extends Error {
  readonly kind: UploadErrorKind;
  /** The code of the server's problem; null where the server did not say this itself. */
  readonly code: string | null;
  /** Where the server's copy ends, for `offset`. */
  readonly offsetBytes: number | null;
  /** The server requested to wait at least this long. */
  readonly retryAfterMs: number;

  constructor(
    kind: UploadErrorKind,
    message: string,
    more: { code?: string | null; offsetBytes?: number | null; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'UploadError';
    this.kind = kind;
    this.code = more.code ?? null;
    this.offsetBytes = more.offsetBytes ?? null;
    this.retryAfterMs = more.retryAfterMs ?? 0;
  }
}

/**
 * Why a response is no success; null where it is one. What the server did not write itself only ever makes a
 * device wait, or send less at once: it ends no upload, and its `Retry-After` does not count, which a proxy
 * may set to a day.
 */
export async function uploadErrorOf(response: Response): Promise<UploadError | null> {
  const source = await sourceOfAnswer(response);
  if (source.from === 'elsewhere')
    return new UploadError(
      kindOfForeign(source.kind, response.status),
      `${response.status}, not of the server`,
    );
  if (response.ok) return null;
  const { code } = source;
  const retryAfterS = Number(response.headers.get('retry-after') ?? 0);
  return new UploadError(kindOf(response.status, code), `${response.status} ${code ?? 'without a body'}`, {
    code,
    offsetBytes: readOffset(response),
    retryAfterMs: Number.isFinite(retryAfterS) ? Math.max(0, retryAfterS) * 1000 : 0,
  });
}

/** The `Upload-Offset` of a response in bytes, null when it names none. */
export function readOffset(response: Response): number | null {
  const header = response.headers.get('upload-offset');
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : null;
}

const kindsByCode: Readonly<Record<string, UploadErrorKind>> = {
  'offset-mismatch': 'offset',
  'already-finished': 'finished',
  'checksum-mismatch': 'digest',
  'quota-exceeded': 'full',
  // The text of a marker or note is beyond a limit: smaller requests don't help.
  'too-much-text': 'invalid',
};
const kindsByStatus: Record<number, UploadErrorKind> = {
  401: 'rejected',
  403: 'rejected',
  404: 'unknown',
  413: 'too-large',
  422: 'invalid',
  507: 'full',
  // A body that did not arrive in time was too much for the line.
  408: 'too-large',
};

const kindOf = (status: number, code: string | null): UploadErrorKind =>
  (code === null ? undefined : kindsByCode[code]) ?? kindsByStatus[status] ?? 'server';

/** Limits on a body's size and on its duration are the only rules of a proxy that a device can meet. */
const sizeStatuses: ReadonlySet<number> = new Set([408, 413]);

function kindOfForeign(kind: ForeignAnswer, status: number): UploadErrorKind {
  if (kind === 'gate') return 'gate';
  return sizeStatuses.has(status) ? 'too-large' : 'server';
}
