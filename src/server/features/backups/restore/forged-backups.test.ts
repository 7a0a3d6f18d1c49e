import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { day } from '#base/duration.ts';
import { BackupError } from '#server/features/backups/format/backup-error.ts';
import type { BlobEntry } from '#server/features/backups/format/blob-entry.ts';
import { type BackupManifest, manifestText } from '#server/features/backups/format/manifest.ts';
import { manifestSealOf, type ManifestSeal } from '#server/features/backups/format/manifest-seal.ts';
import { blobsOf, chosenSnapshot, keysOf, readSecretKey } from '#server/features/backups/format/snapshots.ts';
import { keyOfContent } from '#server/storage/backups/backup-target.ts';
import { blobKeyOf } from '#server/storage/blobs/upload-key.ts';
import type { Database } from '#server/storage/database/database.ts';
import { createRestoreMarker, removeRestoreMarker } from '#server/storage/database/restore-marker.ts';
import { hashOf } from '#server/storage/hash-of.ts';
import type { Cell } from '#server/storage/tables/read-table.ts';
import { makeBackup, seal, storeKeyFingerprint, storeStream } from '#tests/support/backups-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { storeRecording, storeUpload, storeUser } from '#tests/support/factories.ts';
import { fakeClock } from '#tests/support/fake-clock.ts';
import { MemoryBackupTarget } from '#tests/support/memory-backup-target.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';
import { assertRestorable, restoreBlobs, restoreTables } from './restore-backup.ts';

const otherSeal = manifestSealOf(new Uint8Array(32).fill(8));
const bytes = Buffer.from('a stream');

/** Two backups of an installation with one recording, the newer of which contains the secret key. */
async function backUp(database: Database) {
  const [clock, blobs, target] = [fakeClock(), new MemoryBlobStore(), new MemoryBackupTarget()];
  const { id: ownerId } = await storeUser(database.queries);
  const backedUp = { database, blobs, clock };
  await storeStream(backedUp, { ownerId, bytes });
  await storeKeyFingerprint(database);
  const take = (withKey: boolean): Promise<BackupManifest> => makeBackup(backedUp, target, { withKey });
  const older = await take(false);
  clock.advance(day);
  return { target, blobs, clock, take, older, newest: await take(true) };
}

type Made = Pick<Awaited<ReturnType<typeof backUp>>, 'target' | 'older' | 'newest'>;

/** The files of a backup in the hands of somebody who can write there, without the secret key. */
class Forger {
  readonly target = new MemoryBackupTarget();
  readonly older: BackupManifest;
  readonly newest: BackupManifest;

  constructor({ target, older, newest }: Made) {
    for (const [key, content] of target.files) this.target.files.set(key, Buffer.from(content));
    [this.older, this.newest] = [older, structuredClone(newest)];
  }

  /** Deletes the other backup, and writes the manifest with right sums. */
  write(manifest: object = this.newest, by: ManifestSeal | null = null): void {
    for (const key of this.target.files.keys())
      if (key.startsWith(keysOf(this.older.id).folder)) this.target.files.delete(key);
    this.overwrite(manifestText(manifest as BackupManifest, by));
  }

  overwrite(text: string): void {
    this.target.files.set(keysOf(this.newest.id).manifest, Buffer.from(text));
  }

  /** Changes the text of the manifest, whose MAC stays. */
  editManifest(change: (text: string) => string): void {
    const { content, mac } = JSON.parse(change(this.#text(keysOf(this.newest.id).manifest))) as {
      content: unknown;
      mac: string;
    };
    this.overwrite(JSON.stringify({ content, sha256: hashOf(JSON.stringify(content)), mac }));
  }

  table(name: string): BackupManifest['tables'][number] {
    const table = this.newest.tables.find((each) => each.name === name);
    if (table === undefined) throw new TypeError(name);
    return table;
  }

  /** Replaces the lines of a table, and writes a manifest that fits. */
  editRows(name: string, change: (rows: Cell[][]) => unknown[]): void {
    const table = this.table(name);
    const key = keysOf(this.newest.id).table(name);
    const rows = change(this.#lines(key) as Cell[][]);
    table.rowCount = rows.length;
    table.file = this.#replace(key, gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join('')));
    this.write();
  }

  /** Replaces one cell of the only row of a table. */
  editCell(name: string, column: string, cell: Cell): void {
    const index = this.table(name).columns.findIndex((each) => each.name === column);
    this.editRows(name, (rows) => rows.map((row) => row.with(index, cell)));
  }

  editBlobs(change: (entries: BlobEntry[]) => object[]): void {
    const key = keysOf(this.newest.id).blobs;
    const entries = change(this.#lines(key) as BlobEntry[]);
    this.newest.blobs.file = this.#replace(
      key,
      gzipSync(entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')),
    );
    this.write();
  }

  #replace(key: string, content: Buffer): { sizeBytes: number; sha256: string } {
    this.target.files.set(key, content);
    return { sizeBytes: content.length, sha256: hashOf(content) };
  }

  #text(key: string): string {
    return this.target.files.get(key)?.toString() ?? '';
  }

  #lines(key: string): unknown[] {
    return gunzipSync(this.target.files.get(key) ?? '')
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);
  }
}

const isDamaged = /(manifest\.json|\.jsonl\.gz|blobs\/\S+) is damaged/;
const isForged = 'was changed by somebody without the secret key, or belongs to another backup';

interface Forgery {
  name: string;
  forge: (forger: Forger) => void;
  says: string | RegExp;
}

const manifests: Forgery[] = [
  {
    name: 'a changed manifest',
    forge: (by) => by.editManifest((text) => text.replace('1.0.0', '2.0.0')),
    says: isForged,
  },
  {
    name: 'the MAC of another key',
    forge: (by) => by.write({ ...by.newest }, { ...otherSeal, keyFingerprint: seal.keyFingerprint }),
    says: isForged,
  },
  {
    name: 'a MAC that is none',
    forge: (by) => by.editManifest((text) => text.replace(/"mac": "[^"]*"/, '"mac": "zz"')),
    says: isForged,
  },
  {
    name: 'the manifest of an older backup',
    forge: (by) => by.overwrite(manifestText(by.older, seal)),
    says: isForged,
  },
  {
    name: 'a newest one without a MAC',
    forge: (by) => by.overwrite(manifestText(by.newest, null)),
    says: 'is not authenticated, but others in',
  },
  { name: 'a manifest that is no JSON', forge: (by) => by.overwrite('{'), says: /manifest\.json is damaged/ },
  {
    name: 'a manifest that is an array',
    forge: (by) => by.overwrite('[]'),
    says: /manifest\.json is damaged/,
  },
  {
    name: 'an endless manifest',
    forge: (by) => by.overwrite(' '.repeat(17 * 1024 * 1024)),
    says: /manifest\.json is damaged/,
  },
  ...['startedAtMs', 'endedAtMs'].map((property): Forgery => ({
    name: `an impossible ${property}`,
    forge: (by) => by.write({ ...by.newest, [property]: 9e15 }),
    says: isDamaged,
  })),
  ...[-1, 1.5, 1e300, '1'].map((rowCount): Forgery => ({
    name: `${JSON.stringify(rowCount)} rows`,
    forge: (by) => by.write({ ...by.newest, tables: [{ ...by.table('users'), rowCount }] }),
    says: isDamaged,
  })),
  ...['../../evil', 'users"; drop table users', 'Users', ''].map((name): Forgery => ({
    name: `a table ${JSON.stringify(name)}`,
    forge: (by) => by.write({ ...by.newest, tables: [{ ...by.table('users'), name }] }),
    says: isDamaged,
  })),
  {
    name: 'a table twice',
    forge: (by) => by.write({ ...by.newest, tables: [by.table('users'), by.table('users')] }),
    says: isDamaged,
  },
  { name: 'no tables', forge: (by) => by.write({ ...by.newest, tables: [] }), says: isDamaged },
  {
    name: 'migrations of nobody',
    forge: (by) => by.write({ ...by.newest, migrations: ['0001\u001B[2J'] }),
    says: /newer than this version \(its database has 0001\uFFFD\[2J\)/,
  },
  {
    name: 'migrations in another order',
    forge: (by) => by.write({ ...by.newest, migrations: by.newest.migrations.toReversed() }),
    says: 'in this order',
  },
  {
    name: 'a hash that is a path',
    forge: (by) =>
      by.write({ ...by.newest, blobs: { ...by.newest.blobs, file: { sizeBytes: 1, sha256: '../../evil' } } }),
    says: isDamaged,
  },
];

const tables: Forgery[] = [
  {
    name: 'a missing table file',
    forge: (by) => {
      by.target.files.delete(keysOf(by.newest.id).table('users'));
      by.write();
    },
    says: /users\.jsonl\.gz is missing/,
  },
  {
    name: 'a file that is not compressed',
    forge: (by) => {
      by.editRows('users', (rows) => rows);
      by.table('users').file = { sizeBytes: 3, sha256: hashOf('abc') };
      by.target.files.set(keysOf(by.newest.id).table('users'), Buffer.from('abc'));
      by.write();
    },
    says: isDamaged,
  },
  {
    name: 'a table of another program',
    forge: (by) => {
      by.editRows('users', (rows) => rows);
      by.target.files.set(
        keysOf(by.newest.id).table('evil'),
        by.target.files.get(keysOf(by.newest.id).table('users')) ?? Buffer.alloc(0),
      );
      by.table('users').name = 'evil';
      by.write();
    },
    says: 'The table evil of the backup',
  },
  {
    name: 'a column of another program',
    forge: (by) => {
      const [column] = by.table('users').columns;
      if (column) column.name = 'evil';
      by.write();
    },
    says: 'The table users of the backup',
  },
  {
    name: 'a column of another type',
    forge: (by) => {
      const [column] = by.table('users').columns;
      if (column) column.kind = 'bytes';
      by.write();
    },
    says: 'The table users of the backup',
  },
  {
    name: 'a row with fewer columns',
    forge: (by) => by.editRows('users', (rows) => rows.map((row) => row.slice(1))),
    says: isDamaged,
  },
  { name: 'a row that is a number', forge: (by) => by.editRows('users', () => [7]), says: isDamaged },
  ...['NaN', '1.5', '99999999999999999999', ''].map((cell): Forgery => ({
    name: `the time ${JSON.stringify(cell)}`,
    forge: (by) => by.editCell('users', 'created_at', cell),
    says: isDamaged,
  })),
  {
    name: 'a row of nobody',
    forge: (by) => by.editCell('recordings', 'owner_id', 'nobody'),
    says: 'does not accept the rows of the backup',
  },
  {
    name: 'a row without a needed value',
    forge: (by) => by.editCell('users', 'display_name', null),
    says: 'does not accept the rows of the backup',
  },
  {
    name: 'a row twice',
    forge: (by) => by.editRows('users', (rows) => [...rows, ...rows]),
    says: 'does not accept the rows of the backup',
  },
  {
    name: 'another number of rows',
    forge: (by) => {
      by.table('users').rowCount = 5;
      by.write();
    },
    says: 'has 1 rows, but its manifest says 5',
  },
];

const entries = (name: string, change: Partial<Record<keyof BlobEntry, unknown>>): Forgery => ({
  name,
  forge: (by) => by.editBlobs((all) => all.map((entry) => ({ ...entry, ...change }))),
  says: isDamaged,
});

const files: Forgery[] = [
  ...['../../evil', '/etc/evil', 'web/index.js', 'recordings/a', 'recordings/a/b\u0000', 'C:\\evil'].map(
    (key) => entries(`a blob ${JSON.stringify(key)}`, { key }),
  ),
  ...['../../evil', '', 'A'.repeat(64)].map((sha256) =>
    entries(`the hash ${JSON.stringify(sha256)}`, { sha256 }),
  ),
  ...[-1, 1e300, 0.5, bytes.length - 1].map((sizeBytes) => entries(`a size of ${sizeBytes}`, { sizeBytes })),
  ...[
    [{ sha256: hashOf('a'), sizeBytes: 1 }],
    [1, 2].map((sizeBytes) => ({ sha256: hashOf('a'), sizeBytes })),
    [bytes.length, 0].map((sizeBytes) => ({ sha256: '../../evil', sizeBytes })),
    [bytes.length + 1, -1].map((sizeBytes) => ({ sha256: hashOf('a'), sizeBytes })),
  ].map((chunks) => entries(`the chunks ${JSON.stringify(chunks)}`, { chunks })),
  entries('an impossible time', { changedAtMs: 1e300 }),
  entries('a kind of nobody', { kind: 'user' }),
  { name: 'a blob twice', forge: (by) => by.editBlobs((all) => [...all, ...all]), says: 'names files twice' },
  {
    name: 'fewer blobs than the manifest counts',
    forge: (by) => by.editBlobs(() => []),
    says: 'or other files than its manifest counts',
  },
  {
    name: 'other content of the same size',
    forge: (by) => {
      by.target.files.set(keyOfContent(hashOf(bytes)), Buffer.from('A STREAM'));
      by.write();
    },
    says: isDamaged,
  },
  {
    name: 'missing content',
    forge: (by) => {
      by.target.files.delete(keyOfContent(hashOf(bytes)));
      by.write();
    },
    says: / is missing \(recordings\//,
  },
];

const secretKeys: Forgery[] = [Buffer.alloc(32, 8), Buffer.alloc(0), Buffer.alloc(100_000), null].map(
  (key) => ({
    name: key === null ? 'a missing key' : `a key of ${key.length} other bytes`,
    forge: (by) => {
      const path = keysOf(by.newest.id).secretKey;
      if (key === null) by.target.files.delete(path);
      else by.target.files.set(path, key);
    },
    says: 'secret.key is missing or is not the secret key of this backup',
  }),
);

eachDatabase((_name, open) => {
  describe('a forged or damaged backup', async () => {
    const restore = async (target: MemoryBackupTarget, database: Database): Promise<void> => {
      const manifest = await chosenSnapshot(target, undefined, { seal, isCertain: true });
      await assertRestorable(target, manifest);
      if (manifest.hasKey) await readSecretKey(target, manifest);
      await restoreBlobs({ target, blobs: new MemoryBlobStore() }, manifest, { skipDamaged: false });
      await restoreTables(database, target, manifest);
    };

    it('is refused with a sentence, and leaves no row', async () => {
      const made = await backUp(await open());
      const database = await open();
      await createRestoreMarker(database, made.newest.id);
      for (const { name, forge, says } of [...manifests, ...tables, ...files, ...secretKeys]) {
        const forger = new Forger(made);
        forge(forger);
        const error: unknown = await restore(forger.target, database).then(
          () => null,
          (reason: unknown) => reason,
        );
        expect({ name, isSentence: error instanceof BackupError, error }).toMatchObject({ isSentence: true });
        const { message } = error as Error;
        const isExpected = typeof says === 'string' ? message.includes(says) : says.test(message);
        expect({ name, message, isExpected }).toMatchObject({ isExpected: true });
        expect(message).toMatch(/^[^\p{Cc}]+\.$/u);
      }
      expect(await database.queries.selectFrom('users').select('id').execute()).toEqual([]);
      // The same place as it was made.
      await restore(made.target, database);
      await removeRestoreMarker(database.queries);
      expect(await database.queries.selectFrom('users').select('id').execute()).toHaveLength(1);
    });

    it('is told apart from one of an earlier version, which is restored, and one of an unknown key', async () => {
      const made = await backUp(await open());
      const shown = async (target: MemoryBackupTarget, by: ManifestSeal | null) =>
        (await chosenSnapshot(target, made.newest.id, { seal: by })).authenticity;
      expect(await shown(made.target, seal)).toBe('authentic');
      expect(await shown(made.target, null)).toBe('unchecked');
      expect(await shown(made.target, otherSeal)).toBe('unchecked');
      const earlier = new Forger(made);
      earlier.write();
      expect(await shown(earlier.target, seal)).toBe('absent');
      const database = await open();
      await createRestoreMarker(database, made.newest.id);
      await restore(earlier.target, database);
      expect(await database.queries.selectFrom('users').select('id').execute()).toHaveLength(1);
    });

    it('gives the next backup no content of its own', async () => {
      const database = await open();
      const made = await backUp(database);
      const { blobs, clock, target } = made;
      const { id: ownerId } = await database.queries
        .selectFrom('users')
        .select('id')
        .executeTakeFirstOrThrow();
      const { id: recordingId } = await storeRecording(database.queries, { owner_id: ownerId });
      await storeUpload(database.queries, { recording_id: recordingId, size_bytes: null, sha256: null });
      await blobs.put(blobKeyOf({ recordingId, stream: 'audio', index: 0 }), bytes);
      clock.advance(day);
      const before = await made.take(false);
      const forger = new Forger({ target, older: made.older, newest: before });
      const { sha256 } = await forger.target.store(
        (async function* () {
          yield Buffer.from('A STREAM');
        })(),
      );
      forger.editBlobs((all) => all.map((entry) => ({ ...entry, sha256 })));
      for (const [key, content] of forger.target.files) target.files.set(key, content);
      clock.advance(day);
      const next = await made.take(false);
      const hashes = await Array.fromAsync(blobsOf(target, next), (entry) => entry.sha256);
      expect(hashes).toEqual([hashOf(bytes), hashOf(bytes)]);
    });
  });
});
