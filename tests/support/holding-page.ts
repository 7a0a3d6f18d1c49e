import { authEvents, type AuthEvents } from '#web/api/auth-events.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/queries/query-client.ts';
import { holdClient, readSession, request } from '#web/api/request.ts';
import { session, loadSession } from '#web/api/session.ts';
import { cancelSignIn, confirmSignIn } from '#web/api/sign-in-prompt.ts';
import { cancelStepUp } from '#web/api/step-up-prompt.ts';

const names: readonly (keyof AuthEvents)[] = [
  'login-required',
  'login-confirmed',
  'login-cancelled',
  'forbidden',
  'reauthentication-required',
  'principal-changed',
];
const events: string[] = [];
for (const name of names)
  authEvents.on(name, () => {
    events.push(name);
  });

/** The outcome of each request in the order they were made; null while pending. */
const ends: (string | null)[] = [];
const aborts: AbortController[] = [];

function send(url: string, init: RequestInit = {}): number {
  const place = ends.push(null) - 1;
  const abort = new AbortController();
  aborts[place] = abort;
  request(url, { ...init, signal: abort.signal }).then(
    (response) => {
      ends[place] = String(response.status);
    },
    (error: unknown) => {
      ends[place] =
        typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
          ? error.code
          : String(error);
    },
  );
  return place;
}

const logIn = async (email: string, password: string): Promise<string> => {
  try {
    await call('logIn', { body: { email, password } });
    return 'ok';
  } catch (error) {
    return error instanceof ApiError ? error.code : String(error);
  }
};

const formOf = (text: string): FormData => {
  const form = new FormData();
  form.append('words', text);
  form.append('file', new Blob([text.repeat(1000)], { type: 'audio/ogg' }), 'a.ogg');
  return form;
};

/** The app's own API client without its screens, for tests that count its requests. */
const holding = {
  events,
  ends,
  send,
  logIn,
  formOf,
  confirm: confirmSignIn,
  cancel: cancelSignIn,
  cancelStepUp,
  readSession,
  abort: (place: number) => {
    aborts[place]?.abort('no longer needed');
  },
  heldCount: () => holdClient.heldCount,
  user: () => session.getSnapshot().user?.id ?? null,
  status: () => session.getSnapshot().status,
  remember: () => {
    queryClient.setQueryData(['recordings'], ['hers']);
  },
  remembered: () => queryClient.getQueryData(['recordings']) ?? null,
  reauthenticate: async (password: string) => {
    await call('reauthenticate', {
      body: { method: 'password', password },
      hold: { isAuthCall: false, noHold: true },
    });
    return confirmSignIn();
  },
};

declare global {
  var holding: HoldingPage;
}
export type HoldingPage = typeof holding;

globalThis.holding = holding;
loadSession();
