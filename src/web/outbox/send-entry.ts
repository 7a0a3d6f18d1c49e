import { instantOf } from '#base/instant.ts';
import type { PlaybackPosition } from '#contract/positions-api.ts';
import { failureOfCode } from '#device/outbox/failure.ts';
import type { OutboxEntry, OutboxPayloads } from '#device/outbox/outbox-entry.ts';
import type { SendResult } from '#device/outbox/outbox.ts';
import { ApiError, isUnreached } from '#web/api/api-error.ts';
import { call, urlOf } from '#web/api/call.ts';
import { requestWithoutHold } from '#web/api/request.ts';

const resultOfCode = (code: string): SendResult => {
  const failure = failureOfCode(code);
  return failure === 'never' ? 'settled' : failure;
};

function resultOf(error: unknown): SendResult {
  if (isUnreached(error)) return 'unreachable';
  if (!(error instanceof ApiError)) return 'later';
  const result = resultOfCode(error.code);
  // A conflict with the state of the recording does not pass by itself.
  return result === 'later' && error.status === 409 ? 'settled' : result;
}

async function attempt(send: () => Promise<unknown>): Promise<SendResult> {
  try {
    await send();
    return 'settled';
  } catch (error) {
    return resultOf(error);
  }
}

/** The server deletes only what is in the trash. */
async function sendImport(recordingId: string, { wanted }: OutboxPayloads['import']): Promise<SendResult> {
  const params = { recordingId };
  if (wanted === 'restore') return attempt(() => call('restoreRecording', { params }));
  const trashed = await attempt(() => call('trashRecording', { params }));
  return wanted === 'trash' || trashed !== 'settled'
    ? trashed
    : attempt(() => call('purgeRecording', { params }));
}

/** The server ignores a position that is older than the one it has. Nobody waits for it, so nothing is held. */
async function sendPosition(
  recordingId: string,
  { positionMs, heardAtMs, playerId }: OutboxPayloads['position'],
): Promise<SendResult> {
  const body: PlaybackPosition = { positionMs, heardAt: instantOf(heardAtMs), playerId };
  try {
    const response = await requestWithoutHold(urlOf('getPosition', { params: { recordingId } }), {
      method: 'PUT',
      keepalive: true,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.ok) return 'settled';
    const problem: { code?: unknown } | null = await response.json().catch(() => null);
    return resultOfCode(typeof problem?.code === 'string' ? problem.code : '');
  } catch {
    return 'unreachable';
  }
}

/** Sends one entry with the session of this page. Never rejects. */
export const sendEntry = (entry: OutboxEntry): Promise<SendResult> =>
  entry.kind === 'import'
    ? sendImport(entry.target, entry.payload)
    : sendPosition(entry.target, entry.payload);
