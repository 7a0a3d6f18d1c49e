import { HoldError } from './hold-error.ts';

/**
 * A request as it was when it was made. Both attempts send the same thing, even if the caller has changed its
 * parts since.
 */
export interface ReplayableRequest {
  readonly url: string;
  readonly method: string;
  readonly signal: AbortSignal | null;
  /** The approximate memory of its body, in bytes. */
  readonly sizeBytes: number;
  /** A new init for one attempt, with that attempt's own headers on top. */
  init(headersOfAttempt: Record<string, string>): RequestInit;
}

interface Body {
  sizeBytes: number;
  copy: () => BodyInit | null;
}

/**
 * @param bodyFactory creates the body of each attempt if it can be read only once; replaces `init.body`
 * @throws HoldError `not-replayable` for a bare stream: a second attempt would send nothing
 */
export function freezeRequest(
  url: string,
  init: RequestInit,
  bodyFactory?: () => BodyInit,
): ReplayableRequest {
  const { headers, body, signal, method, ...rest } = init;
  const frozenHeaders = [...new Headers(headers).entries()];
  const frozenBody: Body = bodyFactory ? { sizeBytes: 0, copy: bodyFactory } : freezeBody(body ?? null);
  const upperMethod = (method ?? 'GET').toUpperCase();
  return {
    url,
    method: upperMethod,
    signal: signal ?? null,
    sizeBytes: frozenBody.sizeBytes,
    init: (headersOfAttempt) => {
      const merged = new Headers(frozenHeaders);
      for (const [name, value] of Object.entries(headersOfAttempt)) merged.set(name, value);
      return {
        ...rest,
        method: upperMethod,
        headers: merged,
        body: frozenBody.copy(),
        signal: signal ?? null,
      };
    },
  };
}

const bytesPerCharacter = 2;

/** Copies the body at once, before the caller can change it, and returns a copy per attempt. */
function freezeBody(body: BodyInit | null): Body {
  // Strings and blobs are immutable.
  if (body === null) return { sizeBytes: 0, copy: () => null };
  if (typeof body === 'string') return { sizeBytes: body.length * bytesPerCharacter, copy: () => body };
  if (body instanceof Blob) return { sizeBytes: body.size, copy: () => body };
  if (body instanceof FormData) return freezeForm(body);
  if (body instanceof URLSearchParams) {
    const text = body.toString();
    return { sizeBytes: text.length * bytesPerCharacter, copy: () => new URLSearchParams(text) };
  }
  if (body instanceof ReadableStream) throw new HoldError('not-replayable');
  const bytes = body instanceof ArrayBuffer ? body.slice(0) : copyOfView(body);
  return { sizeBytes: bytes.byteLength, copy: () => bytes.slice(0) };
}

function copyOfView(view: ArrayBufferView): ArrayBuffer {
  const copy = new Uint8Array(view.byteLength);
  copy.set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  return copy.buffer;
}

function freezeForm(form: FormData): Body {
  const entries = [...form.entries()];
  const sizes = entries.map(([, value]) =>
    typeof value === 'string' ? value.length * bytesPerCharacter : value.size,
  );
  return { sizeBytes: sizes.reduce((sum, size) => sum + size, 0), copy: () => formDataOf(entries) };
}

function formDataOf(entries: [string, FormDataEntryValue][]): FormData {
  const form = new FormData();
  for (const [name, value] of entries) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, value.name);
  }
  return form;
}
