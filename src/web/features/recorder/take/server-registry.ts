import { ApiError } from '#web/api/api-error.ts';
import { authEvents } from '#web/api/auth-events.ts';
import { call } from '#web/api/call.ts';
import { session } from '#web/api/session.ts';
import type { CallFailure, TakeRegistry } from './attachment.ts';

const otherSession: ReadonlySet<string> = new Set([
  'login-cancelled',
  'principal-changed',
  'session-required',
  'session-expired',
  'hold-timeout',
  'hold-overflow',
  'forbidden',
  'account-disabled',
]);
const never: ReadonlySet<string> = new Set([
  'not-found',
  'purged',
  'validation',
  'malformed-request',
  'already-finished',
]);

function failureOf(error: unknown): CallFailure {
  if (!(error instanceof ApiError)) return 'later';
  if (never.has(error.code)) return 'never';
  return otherSession.has(error.code) ? 'other-session' : 'later';
}

function wait(delayMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, delayMs);
  globalThis.addEventListener(
    'online',
    () => {
      resolve();
    },
    { once: true, signal },
  );
  signal.addEventListener(
    'abort',
    () => {
      resolve();
    },
    { once: true },
  );
  return promise.finally(() => {
    clearTimeout(timer);
  });
}

/** The real server, reached through the hold-and-retry wrapper. */
export const serverRegistry: TakeRegistry = {
  userId: () => {
    const { user, isLeaving } = session.getSnapshot();
    return isLeaving ? null : (user?.id ?? null);
  },
  onSessionChange: (listener) => {
    const leave = [session.subscribe(listener), authEvents.on('login-confirmed', listener)];
    return () => {
      for (const stop of leave) stop();
    };
  },
  register: async (take, signal) => {
    const { recording, upload, receipts } = await call('registerRecording', {
      params: { recordingId: take.id },
      body: {
        title: take.title,
        startedAt: new Date(take.startedAtMs).toISOString(),
        timeZone: take.timeZone,
        format: { container: 'ogg', codec: 'opus', sampleRateHz: take.sampleRateHz, channels: take.channels },
        source: 'microphone',
        deviceLabel: take.deviceLabel,
      },
      signal,
      hold: { owner: take.ownerId },
    });
    return { upload, title: recording.title, stored: { durationMs: recording.durationMs, receipts } };
  },
  reopen: async (take, signal) => {
    const { upload } = await call('reopenRecording', {
      params: { recordingId: take.id },
      signal,
      hold: { owner: take.ownerId },
    });
    return upload;
  },
  rename: async (recordingId, title, signal) => {
    await call('changeRecording', { params: { recordingId }, body: { title }, signal });
  },
  failureOf,
  wait,
};
