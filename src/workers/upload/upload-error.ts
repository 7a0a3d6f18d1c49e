import { type ForeignAnswer, sourceOfAnswer } from '#contract/answer-source.ts';

/**
 * Why a request of the upload protocol failed, by the required reaction:
 * `offline` wait for the network · `gate` wait until the proxy in front of the server lets requests through ·
 * `rejected` wait for a new capability · `offset` continue from the server's offset · `unknown` create the upload
 * again · `finished` it is already sealed · `too-large` send smaller requests · `digest` the bytes were damaged in
 * transit, or are different · `invalid` this will never be accepted · `full` the server's disk is full: wait until
 * it has space · `quota` the owner's storage limit is reached: wait until there is space below it · `not-audio` the
 * server reads no audio in the bytes and takes no more of them · `server` wait and retry.
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
  | 'quota'
  | 'not-audio'
  | 'server';

export class UploadError extends Error {
  readonly kind: UploadErrorKind;
  /** The code of the server's problem; null if the server did not write the response. */
  readonly code: string | null;
  /** The end of the server's copy, for `offset`. */
  readonly offsetBytes: number | null;
  /** The server's minimum wait before a retry. */
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
 * Why a response is a failure; null for a success. A response that the server did not write only ever makes a
 * device wait or send smaller requests. It ends no upload, and its `Retry-After` is ignored, because a proxy may
 * set it to a day.
 */
export async function uploadErrorOf(response: Response): Promise<UploadError | null> {
  const source = await sourceOfAnswer(response);
  if (source.from === 'elsewhere')
    return new UploadError(
      kindOfForeign(source.kind, response.status),
      `${response.status}, not from the server`,
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

/** The `Upload-Offset` of a response in bytes; null if it has none. */
export function readOffset(response: Response): number | null {
  const header = response.headers.get('upload-offset');
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : null;
}

const kindsByCode: Readonly<Record<string, UploadErrorKind>> = {
  'offset-mismatch': 'offset',
  'already-finished': 'finished',
  'checksum-mismatch': 'digest',
  'quota-exceeded': 'quota',
  'unreadable-audio': 'not-audio',
  // The text of a marker or note is over a limit: smaller requests don't help.
  'too-much-text': 'invalid',
};
const kindsByStatus: Record<number, UploadErrorKind> = {
  401: 'rejected',
  403: 'rejected',
  404: 'unknown',
  413: 'too-large',
  422: 'invalid',
  507: 'full',
  // A body that did not arrive in time was too large for the connection.
  408: 'too-large',
};

const kindOf = (status: number, code: string | null): UploadErrorKind =>
  (code === null ? undefined : kindsByCode[code]) ?? kindsByStatus[status] ?? 'server';

/** Limits on the size and duration of a body are the only rules of a proxy that a device can satisfy. */
const sizeStatuses: ReadonlySet<number> = new Set([408, 413]);

function kindOfForeign(kind: ForeignAnswer, status: number): UploadErrorKind {
  if (kind === 'gate') return 'gate';
  return sizeStatuses.has(status) ? 'too-large' : 'server';
}
