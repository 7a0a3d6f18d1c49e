import { second } from '#base/duration.ts';
import { ApiError } from '#web/api/api-error.ts';
import { sessionState } from '#web/api/session-state.ts';

/** Longer than a sign-out waits for the server (session.ts). The tab that signs out may also have been closed. */
const maxWaitMs = 10 * second;

type Send<Result> = (signal: AbortSignal) => Promise<Result>;

const isLeaving = (): boolean => sessionState.getSnapshot().isLeaving;
const userId = (): string | undefined => sessionState.getSnapshot().user?.id;

/** Resolves once the sign-out under way has succeeded or failed. */
const signOutEnded = (): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      stop();
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(end, maxWaitMs);
    const stop = sessionState.subscribe(() => {
      if (!isLeaving()) end();
    });
  });

/**
 * Sends a request for data of the user, but not during a sign-out, because the server would reject it afterwards. A
 * sign-out cancels it before the server learns of the sign-out. If that fails, the request is sent again.
 * @param send gets the signal of the attempt; throws ApiError, unless it is cancelled
 * @throws ApiError `login-cancelled` if the user has signed out; the signal's reason
 */
export function readUnlessLeaving<Result>(
  signal: AbortSignal | undefined,
  send: Send<Result>,
): Promise<Result> {
  return isLeaving() ? sendAfterLeaving(signal, send) : sendUntilLeaving(signal, send);
}

async function sendAfterLeaving<Result>(
  signal: AbortSignal | undefined,
  send: Send<Result>,
  reader = userId(),
): Promise<Result> {
  if (isLeaving()) await signOutEnded();
  signal?.throwIfAborted();
  if (reader !== undefined && reader !== userId())
    throw new ApiError({ code: 'login-cancelled', status: 0, problem: null });
  return sendUntilLeaving(signal, send);
}

async function sendUntilLeaving<Result>(
  signal: AbortSignal | undefined,
  send: Send<Result>,
): Promise<Result> {
  const reader = userId();
  const leaving = new AbortController();
  let wasLeaving = isLeaving();
  const stop = sessionState.subscribe(() => {
    if (isLeaving() && !wasLeaving) leaving.abort();
    wasLeaving = isLeaving();
  });
  try {
    return await send(signal ? AbortSignal.any([signal, leaving.signal]) : leaving.signal);
  } catch (error) {
    if (!leaving.signal.aborted || error instanceof ApiError) throw error;
  } finally {
    stop();
  }
  return sendAfterLeaving(signal, send, reader);
}
