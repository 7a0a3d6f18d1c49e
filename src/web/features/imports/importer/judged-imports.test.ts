import { beforeEach, expect, test, vi } from 'vitest';
import type { ImportRecord } from '#workers/import/import-record.ts';
import type { ImportJudgement } from './judge-imports.ts';
import { Importer } from './importer.ts';
import { newRecord } from './new-record.ts';

const stored = vi.hoisted(() => ({ records: [] as ImportRecord[], removed: [] as string[] }));
vi.mock('./import-worker-client.ts', () => ({
  startImportWorkerClient: () => ({ post: () => undefined, end: () => undefined }),
}));
vi.mock('./import-storage.ts', async () => ({
  ...(await import('./stored-imports.suite.ts')).storedImports(stored),
  removeImport: (id: string) => {
    stored.removed.push(id);
    return Promise.resolve();
  },
  isClaimed: () => true,
}));

/** A page that finds imports whose files the server has, of which an earlier page did not learn what was found. */
async function reopened(judgements: Record<string, ImportJudgement>) {
  stored.records = Object.keys(judgements).map((id) => ({
    ...newRecord(new File(['x'], `${id}.wav`), null, id),
    isUploaded: true,
  }));
  const importer = new Importer({
    nowMs: () => 0,
    onImported: () => undefined,
    judgementOf: ({ id }) => Promise.resolve(judgements[id] ?? null),
  });
  await importer.start();
  await importer.judge();
  const steps = () => importer.getSnapshot().rows.map(({ id, state }) => [id, state.step]);
  return { importer, steps };
}

beforeEach(() => {
  stored.removed = [];
});

test('a file counts as imported only after the server has found something to play in it', async () => {
  const judgements: Record<string, ImportJudgement> = { speech: null, noise: null };
  const { importer, steps } = await reopened(judgements);
  expect(steps()).toEqual([
    ['speech', 'checking'],
    ['noise', 'checking'],
  ]);
  Object.assign(judgements, { speech: 'playable', noise: 'unplayable' });
  await importer.judge('noise');
  expect(steps()).toEqual([
    ['speech', 'checking'],
    ['noise', 'unplayable'],
  ]);
  await importer.judge();
  expect(steps()).toEqual([
    ['speech', 'done'],
    ['noise', 'unplayable'],
  ]);
  expect(stored.removed).toEqual(['speech']);
});

test('a file that the server judges again counts as imported only while it can be played', async () => {
  const judgements: Record<string, ImportJudgement> = { speech: 'playable' };
  const { importer, steps } = await reopened(judgements);
  expect(steps()).toEqual([['speech', 'done']]);
  judgements['speech'] = 'unplayable';
  await importer.judge('speech');
  expect(steps()).toEqual([['speech', 'unplayable']]);
  judgements['speech'] = 'playable';
  await importer.judge('speech');
  expect(steps()).toEqual([['speech', 'done']]);
});

test('of closed imports, one that cannot be played is left for the badge, and the others disappear', async () => {
  const judgements: Record<string, ImportJudgement> = { speech: null, noise: null };
  const { importer, steps } = await reopened(judgements);
  importer.close();
  Object.assign(judgements, { speech: 'playable', noise: 'unplayable' });
  await importer.judge();
  expect(steps()).toEqual([['noise', 'unplayable']]);
  expect(importer.getSnapshot().rows).toMatchObject([{ isPutAside: true }]);
});

test('an import whose recording was deleted permanently disappears, and is not counted as imported', async () => {
  const { steps } = await reopened({ speech: 'gone' });
  expect(steps()).toEqual([]);
  expect(stored.removed).toEqual(['speech']);
});
