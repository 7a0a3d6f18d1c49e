import { HoldError } from './hold-error.ts';

/** A request as it was when it was made: sending it twice sends the same thing, whatever its maker did to the parts since. */
export interface FrozenRequest {
  readonly url: string;
  readonly method: string;
  readonly signal: AbortSignal | null;
  /** A fresh init for one attempt, with that attempt's own headers on top. */
  init(headersOfAttempt: Record<string, string>): RequestInit;
}

/** @throws HoldError `not-replayable` for a stream: it can be read only once, so a second attempt would send nothing. */
export function freezeRequest(url: string, init: RequestInit): FrozenRequest {
  const { headers, body, signal, method, ...rest } = init;
  const frozenHeaders = [...new Headers(headers).entries()];
  const copyBody = bodyCopier(body ?? null);
  const upperMethod = (method ?? 'GET').toUpperCase();
  return {
    url,
    method: upperMethod,
    signal: signal ?? null,
    init: (headersOfAttempt) => {
      const merged = new Headers(frozenHeaders);
      for (const [name, value] of Object.entries(headersOfAttempt)) merged.set(name, value);
      return { ...rest, method: upperMethod, headers: merged, body: copyBody(), signal: signal ?? null };
    },
  };
}

/** Takes the copy at once, while the maker's object is untouched, and hands out one per attempt. */
function bodyCopier(body: BodyInit | null): () => BodyInit | null {
  // Strings and blobs cannot change.
  if (body === null || typeof body === 'string' || body instanceof Blob) return () => body;
  if (body instanceof FormData) {
    const entries = [...body.entries()];
    return () => formDataOf(entries);
  }
  if (body instanceof URLSearchParams) {
    const text = body.toString();
    return () => new URLSearchParams(text);
  }
  if (body instanceof ReadableStream) throw new HoldError('not-replayable');
  const bytes = body instanceof ArrayBuffer ? body.slice(0) : copyOfView(body);
  return () => bytes.slice(0);
}

function copyOfView(view: ArrayBufferView): ArrayBuffer {
  const copy = new Uint8Array(view.byteLength);
  copy.set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  return copy.buffer;
}

function formDataOf(entries: [string, FormDataEntryValue][]): FormData {
  const form = new FormData();
  for (const [name, value] of entries) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, value.name);
  }
  return form;
}
