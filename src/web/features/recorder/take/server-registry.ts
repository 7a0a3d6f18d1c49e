import { type CallFailure, failureOfCode } from '#device/outbox/failure.ts';
import { ApiError } from '#web/api/api-error.ts';
import { authEvents } from '#web/api/auth-events.ts';
import { rejectionOfCode } from '#device/records/take-record.ts';
import { claims } from '#device/takes/claims.ts';
import { call } from '#web/api/call.ts';
import { waitForRetry } from '#web/api/connection/retry.ts';
import { session } from '#web/api/session.ts';
import { senderId } from '#web/api/session-state.ts';
import { linksThatContinue } from '#web/recordings/on-air/links-that-continue.ts';
import { userScope } from '#web/api/user-scope.ts';
import { sendTitle } from '#web/outbox/send-recording.ts';
import type { TakeRegistry } from './attachment.ts';

const failureOf = (error: unknown): CallFailure =>
  error instanceof ApiError ? failureOfCode(error.code) : 'later';

// Here, because every sender of takes asks this registry who gets them.
userScope.onUserLeft(claims.clear);

/** The registry that calls the server. Requests are held and retried by `call`. */
export const serverRegistry: TakeRegistry = {
  userId: senderId,
  mayClaim: (takeId) => claims.getSnapshot().has(takeId),
  onSessionChange: (listener) => {
    const leave = [
      session.subscribe(listener),
      claims.subscribe(listener),
      authEvents.on('login-confirmed', listener),
    ];
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
      query: { links: linksThatContinue.getSnapshot().has(take.id) ? 'continue' : 'bound' },
      signal,
      hold: { owner: take.ownerId },
    });
    return upload;
  },
  rename: async ({ id, ownerId, title }, signal) => {
    await sendTitle({ recordingId: id, owner: ownerId }, title, signal);
  },
  failureOf,
  rejectionOf: (error) => rejectionOfCode(error instanceof ApiError ? error.code : ''),
  wait: waitForRetry,
};
