import { expect, test, vi } from 'vitest';
import { sessionState } from '#web/api/session-state.ts';
import { importer } from './shared-importer.ts';

vi.mock('./import-worker-client.ts', () => ({
  startImportWorkerClient: () => ({ post: () => undefined, end: () => undefined }),
}));

/** The session of this page belongs to that user from now on; null: to none. */
function sign(id: string | null): void {
  const createdAt = '2026-01-01T00:00:00.000Z';
  const state = sessionState.getSnapshot();
  sessionState.set(
    id === null
      ? { ...state, status: 'signed-out', user: null }
      : {
          ...state,
          status: 'signed-in',
          user: { id, email: null, displayName: id, locale: null, createdAt, role: 'member' },
        },
  );
  importer.sessionChanged();
}
const names = () => importer.getSnapshot().rows.map(({ name }) => name);

test('names of files that were not imported are not shown to the next user', () => {
  sign('alice');
  importer.add({ files: [], leftOut: ['diagnosis.pdf'], unopened: ['letters'] }).catch(() => undefined);
  expect(importer.getSnapshot()).toMatchObject({ leftOut: ['diagnosis.pdf'], unopened: ['letters'] });
  sign(null);
  sign('bob');
  expect(importer.getSnapshot()).toMatchObject({ leftOut: [], unopened: [] });
});

test('an import that was started signed out belongs to the first user who signs in, and to no later one', async () => {
  sign(null);
  await importer.add({ files: [new File(['RIFF'], 'witness.wav')], leftOut: [], unopened: [] });
  expect(names()).toEqual(['witness.wav']);
  sign('alice');
  expect(names()).toEqual(['witness.wav']);
  for (const user of [null, 'bob']) {
    sign(user);
    expect(names()).toEqual([]);
  }
  sign('alice');
  expect(names()).toEqual(['witness.wav']);
});
