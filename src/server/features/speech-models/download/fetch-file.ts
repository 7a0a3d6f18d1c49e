import { second } from '#base/duration.ts';
import { isLoopback } from '#server/http/edge/loopback.ts';

/** No answer, or no bytes, for this long. */
const silenceMs = 60 * second;
const maxRedirects = 5;

/** The host does not give the file at the moment. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** What the host gives is not the expected file. */
export class WrongFileError extends Error {
  override readonly name = 'WrongFileError';
}

export interface WantedBytes {
  url: string;
  sizeBytes: number;
  /** The bytes before it are stored. */
  offsetBytes: number;
}

export interface FetchDeps {
  fetch: typeof fetch;
  /** How long the host may be silent. */
  silenceMs?: number;
}

/** Only this machine may be reached without encryption, for mirrors and tests. */
const isAllowed = (url: URL, from: URL): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url) && isLoopback(from));

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Follows redirects to encrypted addresses. */
async function request(
  { url, offsetBytes }: WantedBytes,
  deps: FetchDeps,
  signal: AbortSignal,
): Promise<Response> {
  const start = new URL(url);
  let at = start;
  for (let count = 0; count <= maxRedirects; count += 1) {
    const response = await deps.fetch(at, {
      redirect: 'manual',
      signal,
      headers: {
        'accept-encoding': 'identity',
        ...(offsetBytes > 0 ? { range: `bytes=${offsetBytes}-` } : {}),
      },
    });
    const location = response.headers.get('location');
    if (!redirects.has(response.status) || location === null) return response;
    await response.body?.cancel();
    at = new URL(location, at);
    if (!isAllowed(at, start)) throw new UnreachableError(`the host redirects to ${at.protocol}//${at.host}`);
  }
  throw new UnreachableError(`the host redirects more than ${maxRedirects} times`);
}

/** Returns the first byte of a partial answer; null if it does not say. */
function startOfRange(response: Response): number | null {
  const [, start] = /^bytes (\d{1,15})-/.exec(response.headers.get('content-range') ?? '') ?? [];
  return start === undefined ? null : Number(start);
}

/**
 * Returns which byte of the file the body begins with.
 * @throws UnreachableError for an error or a page of a proxy, WrongFileError for a file of another length
 */
function startOfBody(response: Response, { sizeBytes, offsetBytes }: WantedBytes): number {
  const { status, headers } = response;
  if (status === 416) throw new WrongFileError('the host has fewer bytes');
  if (status !== 200 && status !== 206) throw new UnreachableError(`the host answered with ${status}`);
  if ((headers.get('content-type') ?? '').startsWith('text/html'))
    throw new UnreachableError('a page came instead of the file');
  const start = status === 206 ? startOfRange(response) : 0;
  if (start === null || start > offsetBytes) throw new WrongFileError('the host gives another part');
  const length = headers.get('content-length');
  if (length !== null && start + Number(length) !== sizeBytes)
    throw new WrongFileError(`the host has ${start + Number(length)} bytes instead of ${sizeBytes}`);
  return start;
}

/** Aborts when the host has been silent for too long. */
class Silence {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(maxMs: number) {
    this.#timer = setTimeout(() => {
      this.#controller.abort(new UnreachableError('the host stopped sending'));
    }, maxMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  heard(): void {
    this.#timer.refresh();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
};

/**
 * Downloads the bytes of a file from an offset on. If the host ignores the range, the first bytes are left out.
 * @throws UnreachableError if the host does not give the file, or the connection is lost
 * @throws WrongFileError if the file has another length
 */
export async function* fetchFile(
  wanted: WantedBytes,
  deps: FetchDeps,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const silence = new Silence(deps.silenceMs ?? silenceMs);
  try {
    const response = await request(wanted, deps, AbortSignal.any([signal, silence.signal]));
    let atByte = startOfBody(response, wanted);
    for await (const bytes of response.body ?? []) {
      silence.heard();
      if (atByte + bytes.byteLength > wanted.sizeBytes) throw new WrongFileError('the host has more bytes');
      const rest = bytes.subarray(Math.max(0, wanted.offsetBytes - atByte));
      atByte += bytes.byteLength;
      if (rest.byteLength > 0) yield rest;
      silence.heard();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof WrongFileError || error instanceof UnreachableError) throw error;
    throw new UnreachableError(messageOf(error), { cause: error });
  } finally {
    silence.end();
  }
}
