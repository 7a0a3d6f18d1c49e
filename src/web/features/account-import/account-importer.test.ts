import { beforeEach, expect, test, vi } from 'vitest';
import { readSession } from '#web/api/request.ts';
import { session, signOut } from '#web/api/session.ts';
import { confirmSignIn } from '#web/api/sign-in-prompt.ts';
import { userScope } from '#web/api/user-scope.ts';
import type {
  RecordingInExport,
  FromAccountImportWorker,
  ToAccountImportWorker,
} from '#workers/account-import/messages.ts';
import { AccountImporter } from './account-importer.ts';

const thread: { onMessage: (message: FromAccountImportWorker) => void; posted: ToAccountImportWorker[] } = {
  onMessage: () => undefined,
  posted: [],
};
vi.mock('./account-import-client.ts', () => ({
  startAccountImportClient: (onMessage: (message: FromAccountImportWorker) => void) => {
    thread.onMessage = onMessage;
    return {
      post: (message: ToAccountImportWorker) => {
        thread.posted.push(message);
      },
      end: () => undefined,
    };
  },
}));
vi.mock('#web/api/check-reply.ts', () => ({ checkReply: async () => undefined }));

const json = (body: unknown, status = 200, kind = 'json') =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': `application/${kind}` } });

/** The server: the user of the browser's cookie, and the requests it accepted from whom. */
const server = {
  who: null as string | null,
  taken: [] as [string, string][],
  answer(url: string): Response {
    if (url === '/auth/session')
      return json({
        user: this.who && { id: this.who, displayName: this.who },
        signUp: 'open',
        hasMail: false,
        needsSetUpCode: false,
        methods: null,
        notices: [],
      });
    if (url === '/auth/logout') this.who = null;
    if (url === '/auth/logout') return new Response(null, { status: 204 });
    if (this.who === null)
      return json({ code: 'session-required', instance: 'urn:uuid:1' }, 401, 'problem+json');
    this.taken.push([this.who, url]);
    if (url === '/api/restores/check')
      return json({ recordings: [{ match: 'unused' }, { match: 'unused' }], usedBytes: 0, quotaBytes: null });
    return json(
      url === '/api/restores/account' ? { rejected: [] } : { upload: { token: 't', expiresAt: 'x' } },
    );
  },
};

const found = (id: string): RecordingInExport => ({
  folder: id,
  id,
  title: id,
  startedAtMs: 0,
  durationMs: 1,
  sizeBytes: 1,
  files: [],
});
const settled = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 20);
  });

beforeEach(() => {
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible', cookie: '' }));
});

/** An import that alice started: the first of two recordings is under way. */
async function started(): Promise<AccountImporter> {
  vi.stubGlobal('fetch', async (url: string) => server.answer(url));
  server.who = 'alice';
  await readSession();
  const importer = new AccountImporter({ onImported: () => undefined, onEnded: () => undefined });
  const userId = () => session.getSnapshot().user?.id ?? null;
  userScope.onSessionEnd(importer.pause);
  userScope.onUserLeft(importer.drop);
  importer.choose(new File(['x'], 'a.zip'), userId());
  thread.onMessage({
    type: 'opened',
    contents: { recordings: [found('one'), found('two')], unreadable: [], account: { tags: [], views: [] } },
  });
  await expect.poll(() => importer.getSnapshot().step).toBe('ready');
  importer.start();
  await expect.poll(() => thread.posted.at(-1)).toMatchObject({ type: 'restore', folder: 'one' });
  return importer;
}

/** The session ends elsewhere, and the page learns of it. */
async function loseSession(): Promise<void> {
  server.who = null;
  await readSession();
}

test('stops an import when the session ends, and sends nothing of it to the account of the next user', async () => {
  const importer = await started();
  await loseSession();
  expect(importer.getSnapshot().step).toBe('paused');
  // Sent by the worker while the session ended; the worker is gone by now.
  thread.onMessage({ type: 'attach-needed', recordingId: 'one', description: JSON.parse('{}') });
  // Restarted while signed out: it waits for alice's sign-in.
  importer.start();
  await settled();
  server.who = 'bob';
  server.taken = [];
  expect(await confirmSignIn()).toBe(true);
  await settled();
  expect(server.taken).toEqual([]);
  expect(importer.getSnapshot().step).toBe('idle');
});

test('drops the import of a user who signs out', async () => {
  const importer = await started();
  await signOut();
  expect(importer.getSnapshot().step).toBe('idle');
});

test('continues the import of a user who signs in again after a lost session', async () => {
  const importer = await started();
  await loseSession();
  server.who = 'alice';
  await confirmSignIn();
  expect(importer.getSnapshot().step).toBe('paused');
  importer.start();
  await expect.poll(() => thread.posted.filter(({ type }) => type === 'restore').length).toBe(3);
  importer.drop();
});
