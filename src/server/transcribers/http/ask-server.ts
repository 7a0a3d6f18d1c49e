import { minute, second } from '#base/duration.ts';
import { TranscriberError } from '#server/transcribers/transcriber.ts';
import { parseAnswer, type TranscriptionAnswer } from './transcription-answer.ts';

const maxAnswerBytes = 1024 * 1024;
const maxRetryAfterMs = 10 * minute;
const defaultRetryAfterMs = 30 * second;

export interface TranscriptionServer {
  /** Without `/v1`. */
  url: string;
  /** Empty: none. */
  key: string;
  model: string;
}

/** What became of a request. `no-answer` may pass; `rejected` is about this sound. */
export type Asked =
  | { kind: 'answer'; answer: TranscriptionAnswer }
  | { kind: 'too-large' }
  | { kind: 'no-answer'; reason: string }
  | { kind: 'unreachable'; reason: string }
  | { kind: 'rejected'; reason: string };

/** How long to wait, from seconds or a date. */
function retryAfterMs(header: string | null, nowMs: number): number {
  if (header === null) return defaultRetryAfterMs;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * second : Date.parse(header) - nowMs;
  return Number.isFinite(ms) ? Math.min(maxRetryAfterMs, Math.max(second, ms)) : defaultRetryAfterMs;
}

/** Reads a body; null if it is larger than any transcript. */
async function readBody(response: Response): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = '';
  let sizeBytes = 0;
  for await (const piece of response.body ?? []) {
    sizeBytes += piece.length;
    // Leaving the loop cancels the rest.
    if (sizeBytes > maxAnswerBytes) return null;
    text += decoder.decode(piece, { stream: true });
  }
  return text;
}

const wrongAddress = (reason: string): TranscriberError =>
  new TranscriberError('transcriber-wrong-address', `the transcription server ${reason}`);

/** @throws TranscriberError for a status that all other chunks would get as well */
function throwForStatus({ status, headers }: Response): void {
  if (status === 401 || status === 403)
    throw new TranscriberError('transcriber-refused', `the transcription server answered ${status}`);
  if (status === 404 || status === 405 || (status >= 300 && status < 400))
    throw wrongAddress(`answered ${status}`);
  if (status === 429 || status === 503)
    throw new TranscriberError(
      'transcriber-unavailable',
      `the transcription server answered ${status}`,
      retryAfterMs(headers.get('retry-after'), Date.now()),
    );
}

function readAnswer(text: string, contentType: string): Asked {
  const isJson = contentType.includes('json');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (!isJson) throw wrongAddress('did not answer JSON');
    return { kind: 'no-answer', reason: 'broken JSON' };
  }
  const answer = parseAnswer(value);
  return answer === null ? { kind: 'no-answer', reason: 'JSON without a text' } : { kind: 'answer', answer };
}

async function readResponse(response: Response): Promise<Asked> {
  throwForStatus(response);
  const { status } = response;
  if (status === 413) return { kind: 'too-large' };
  if (status >= 500) return { kind: 'no-answer', reason: `status ${status}` };
  if (status >= 400) return { kind: 'rejected', reason: `status ${status}` };
  const text = await readBody(response);
  return text === null
    ? { kind: 'no-answer', reason: 'more than 1 MiB' }
    : readAnswer(text, response.headers.get('content-type') ?? '');
}

function formOf(wav: Uint8Array<ArrayBuffer>, model: string, language: string | null): FormData {
  const form = new FormData();
  form.set('file', new Blob([wav], { type: 'audio/wav' }), 'speech.wav');
  form.set('model', model);
  form.set('response_format', 'verbose_json');
  form.append('timestamp_granularities[]', 'word');
  form.set('temperature', '0');
  if (language !== null) form.set('language', language);
  return form;
}

/**
 * Sends sound to a server with OpenAI's interface, once. Follows no redirects.
 * @throws TranscriberError if the server would answer the same for any sound, the signal's reason if it is aborted
 */
export async function askTranscriptionServer(
  { url, key, model }: TranscriptionServer,
  sound: { wav: Uint8Array<ArrayBuffer>; language: string | null },
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): Promise<Asked> {
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response | null = null;
  try {
    response = await fetch(`${url}/v1/audio/transcriptions`, {
      method: 'POST',
      body: formOf(sound.wav, model, sound.language),
      headers: key === '' ? {} : { authorization: `Bearer ${key}` },
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    });
    return await readResponse(response);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TranscriberError) throw error;
    // A server that was reached and then says nothing may have a problem with this sound.
    if (timeout.aborted || response !== null) return { kind: 'no-answer', reason: 'no answer in time' };
    return { kind: 'unreachable', reason: 'the connection failed' };
  } finally {
    await response?.body?.cancel().catch(() => undefined);
  }
}
