import { problemSchema } from '#contract/errors.ts';

/**
 * Why a call of the upload protocol did not succeed, by what has to be done about it:
 * `offline` wait for the network · `refused` wait for a fresh capability · `offset` go on from where the server is ·
 * `unknown` create the upload again · `finished` it is sealed already · `too-large` send less at once ·
 * `digest` the bytes were damaged on the way, or are others than ours · `invalid` this will never be accepted ·
 * `full` the server's disk is full: wait until there is room again · `server` wait and try again.
 */
export type TroubleKind = 'offline' | 'refused' | 'offset' | 'unknown' | 'finished' | 'too-large' | 'digest' | 'invalid' | 'full' | 'server';

export class UploadTrouble extends Error {
  readonly kind: TroubleKind;
  /** Where the server's copy ends, for `offset`. */
  readonly offsetBytes: number | null;
  /** The server asked to wait at least this long. */
  readonly retryAfterMs: number;

  constructor(kind: TroubleKind, message: string, more: { offsetBytes?: number | null; retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: more.cause });
    this.name = 'UploadTrouble';
    this.kind = kind;
    this.offsetBytes = more.offsetBytes ?? null;
    this.retryAfterMs = more.retryAfterMs ?? 0;
  }
}

/** Reads an error response (RFC 9457); what is no problem document of ours is judged by its status alone. */
export async function troubleOf(response: Response): Promise<UploadTrouble> {
  const code = await problemCode(response);
  const retryAfterS = Number(response.headers.get('retry-after') ?? 0);
  return new UploadTrouble(kindOf(response.status, code), `${response.status} ${code}`, {
    offsetBytes: readOffset(response),
    retryAfterMs: Number.isFinite(retryAfterS) ? Math.max(0, retryAfterS) * 1000 : 0,
  });
}

/** The `Upload-Offset` of a response in bytes, null when it names none. */
export function readOffset(response: Response): number | null {
  const header = response.headers.get('upload-offset');
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : null;
}

const kindsByCode: Readonly<Record<string, TroubleKind>> = { 'offset-mismatch': 'offset', 'already-finished': 'finished', 'checksum-mismatch': 'digest', 'quota-exceeded': 'full' };
const kindsByStatus: Record<number, TroubleKind> = {
  401: 'refused', 403: 'refused', 404: 'unknown', 413: 'too-large', 422: 'invalid', 507: 'full',
  // A body that did not arrive in time was too much for the line.
  408: 'too-large',
};

const kindOf = (status: number, code: string): TroubleKind => kindsByCode[code] ?? kindsByStatus[status] ?? 'server';

async function problemCode(response: Response): Promise<string> {
  try {
    return problemSchema.parse(await response.json()).code;
  } catch {
    return 'no-problem-document';
  }
}
