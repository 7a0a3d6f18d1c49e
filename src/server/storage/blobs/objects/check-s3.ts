import { randomBytes } from 'node:crypto';
import type { StorageCheck } from '#server/storage/blobs/storage-check.ts';
import type { S3Settings } from './s3-client.ts';
import { S3Probe, sha256Of } from './s3-probe.ts';

interface Check {
  name: string;
  isNeeded: boolean;
  /** Returns what was found; throws where the store lacks it. */
  run: (probe: S3Probe) => Promise<string | void>;
}

const partBytes = 5 * 1024 * 1024;

function assert(isTrue: boolean, found: string): asserts isTrue {
  if (!isTrue) throw new Error(found);
}

/** Runs a call that the store has to reject. */
async function rejects(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
  throw new Error('the store accepts it');
}

/** Returns the median of ten durations. */
async function medianOf(work: (index: number) => Promise<unknown>): Promise<string> {
  const waits: number[] = [];
  for (let index = 0; index < 10; index += 1) {
    const startedMs = performance.now();
    await work(index);
    waits.push(performance.now() - startedMs);
  }
  return `${(waits.sort((a, b) => a - b)[5] ?? 0).toFixed(1)} ms`;
}

const needed: readonly Check[] = [
  {
    name: 'returns the bytes that were stored',
    isNeeded: true,
    run: async (probe) => {
      await probe.put('ten', '0123456789', { ChecksumSHA256: sha256Of('0123456789') });
      assert((await probe.get('ten')).toString() === '0123456789', 'other bytes');
    },
  },
  {
    name: 'returns a range of bytes',
    isNeeded: true,
    run: async (probe) => {
      assert((await probe.get('ten', '2-5')).toString() === '2345', 'other bytes than 2 to 5');
    },
  },
  {
    name: 'stores an object in parts, and shows it once it is complete',
    isNeeded: true,
    run: async (probe) => {
      const bytes = [randomBytes(partBytes), randomBytes(1000)];
      const upload = await probe.startParts('parts', bytes);
      assert(!(await probe.has('parts')), 'the object is visible before it is complete');
      await probe.complete('parts', upload);
      assert((await probe.get('parts')).equals(Buffer.concat(bytes)), 'other bytes');
    },
  },
  {
    name: 'deletes an object',
    isNeeded: true,
    run: async (probe) => {
      await probe.put('short-lived', 'x');
      await probe.delete('short-lived');
      assert(!(await probe.has('short-lived')), 'it is still there');
    },
  },
  {
    name: 'rejects a wrong secret',
    isNeeded: true,
    run: async (probe) => {
      const { credentials } = probe.settings;
      if (credentials === null) return 'not tried, because the credentials come from this machine';
      const wrong = new S3Probe({
        ...probe.settings,
        credentials: { ...credentials, secretAccessKey: 'wrong' },
      });
      try {
        return await rejects(wrong.put('never', 'x'));
      } finally {
        await wrong.close();
      }
    },
  },
];

const optional: readonly Check[] = [
  {
    name: 'rejects bytes with a wrong SHA-256',
    isNeeded: false,
    run: (probe) => rejects(probe.put('wrong', 'x', { ChecksumSHA256: sha256Of('y') })),
  },
  {
    name: 'stores the SHA-256 of an object',
    isNeeded: false,
    run: async (probe) => {
      assert((await probe.checksumOf('ten')) === sha256Of('0123456789'), 'none, or another one');
    },
  },
  {
    name: 'lists the parts of unfinished objects, so that they can be deleted',
    isNeeded: false,
    run: async (probe) => {
      await probe.startParts('unfinished', [randomBytes(1000)]);
      assert((await probe.countUnfinished('unfinished')) === 1, 'the list lacks them');
    },
  },
  {
    name: 'rejects a part below 5 MiB that is not the last',
    isNeeded: false,
    run: async (probe) => {
      const upload = await probe.startParts('small', [randomBytes(10), randomBytes(10)]);
      return rejects(probe.complete('small', upload));
    },
  },
  {
    name: 'rejects parts with a wrong ETag',
    isNeeded: false,
    run: async (probe) => {
      const { uploadId } = await probe.startParts('etag', [randomBytes(10)]);
      const parts = [{ PartNumber: 1, ETag: '"0123456789abcdef0123456789abcdef"' }];
      return rejects(probe.complete('etag', { uploadId, parts }));
    },
  },
  {
    name: 'makes a part of another object',
    isNeeded: false,
    run: async (probe) => {
      const upload = await probe.startParts('copy', [{ from: 'parts', range: `0-${partBytes - 1}` }]);
      await probe.complete('copy', upload);
      assert((await probe.get('copy', '0-9')).equals(await probe.get('parts', '0-9')), 'other bytes');
    },
  },
  {
    name: 'returns the last bytes of an object (suffix range)',
    isNeeded: false,
    run: async (probe) => {
      assert((await probe.get('ten', '-3')).toString() === '789', 'other bytes than the last three');
    },
  },
  {
    name: 'rejects a range after the end',
    isNeeded: false,
    run: (probe) => rejects(probe.get('ten', '50-60')),
  },
  {
    name: 'does not replace an object with If-None-Match: *',
    isNeeded: false,
    run: (probe) => rejects(probe.put('ten', 'x', { IfNoneMatch: '*' })),
  },
  {
    name: 'lets one of ten writers with If-None-Match: * win',
    isNeeded: false,
    run: async (probe) => {
      const results = await Promise.allSettled(
        Array.from({ length: 10 }, () => probe.put('race', 'x', { IfNoneMatch: '*' })),
      );
      const won = results.filter(({ status }) => status === 'fulfilled').length;
      assert(won === 1, `${won} won`);
    },
  },
  {
    name: 'does not replace an object with a wrong If-Match',
    isNeeded: false,
    run: (probe) => rejects(probe.put('ten', 'x', { IfMatch: '"00000000000000000000000000000000"' })),
  },
  {
    name: 'lists objects in pages',
    isNeeded: false,
    run: async (probe) => {
      for (const name of ['a', 'b', 'c']) await probe.put(`list/${name}`, 'x');
      const pages = await probe.listPages('list/');
      assert(pages.flat().join() === 'list/a,list/b,list/c', `${pages.flat().length} of 3 names`);
      return `${pages.length} pages`;
    },
  },
  {
    name: 'deletes a missing object without an error',
    isNeeded: false,
    run: (probe) => probe.delete('never'),
  },
  {
    name: 'stores 5 MiB',
    isNeeded: false,
    run: (probe) => medianOf((index) => probe.put(`speed/${index}`, randomBytes(partBytes))),
  },
  {
    name: 'returns 256 KiB',
    isNeeded: false,
    run: (probe) => medianOf(() => probe.get('parts', '1000000-1262143')),
  },
];

async function runCheck({ name, isNeeded, run }: Check, probe: S3Probe): Promise<StorageCheck> {
  try {
    return { name, isNeeded, verdict: 'ok', detail: (await run(probe)) ?? '' };
  } catch (error) {
    const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { name, isNeeded, verdict: 'missing', detail: detail.slice(0, 200) };
  }
}

/** Tries what Earshot needs of an S3-compatible store, and what else it may lack. Deletes what it has stored. */
export async function* checkS3(settings: S3Settings): AsyncGenerator<StorageCheck> {
  const probe = new S3Probe(settings);
  try {
    const reached = await runCheck(
      { name: 'has the bucket and lets us in', isNeeded: true, run: () => probe.reach() },
      probe,
    );
    yield reached;
    if (reached.verdict === 'missing') return;
    for (const check of [...needed, ...optional]) yield await runCheck(check, probe);
  } finally {
    await probe.close();
  }
}
