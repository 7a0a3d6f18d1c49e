import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { second } from '#base/duration.ts';
import { appendAll, playedBytes, startTake } from '#tests/support/api-client.ts';
import { copyPostgresTemplate } from '#tests/support/database-templates.ts';
import { addressOf, onPostgres } from '#tests/support/on-postgres.ts';
import { launchOn, storeSpeechAs, userOf } from '#tests/support/recorded-server.ts';
import { freePort } from '#scripts/free-port.ts';
import { newFolder, rejection } from '#tests/support/start-server.ts';
import { hasS3, testBucket } from '#tests/support/test-bucket.ts';
import { hasPostgres, testPostgresUrl as postgres } from '#tests/support/test-postgres.ts';

describe.skipIf(!hasPostgres || !hasS3)('servers on PostgreSQL and an object store', () => {
  const bucket = testBucket();
  let environment: Record<string, string>;

  /** Creates an empty database. Returns its address. */
  async function newDatabase(): Promise<string> {
    const name = `objects_${randomBytes(8).toString('hex')}`;
    await copyPostgresTemplate(postgres, name);
    onTestFinished(async () => {
      await onPostgres(postgres, (client) => client.query(`drop database ${name} with (force)`));
    });
    return addressOf(postgres, name);
  }
  const settings = async (): Promise<Record<string, string>> => ({
    ...environment,
    DATABASE_URL: await newDatabase(),
  });
  beforeAll(() => {
    environment = { ...bucket.environment(), SECRET_KEY: 'a secret of at least 32 characters' };
  });

  test('serve the same takes, also while the object store is down', async () => {
    const shared = await settings();
    const [one, other] = [await launchOn(newFolder(), shared), await launchOn(newFolder(), shared)];
    const { client, user } = await userOf(one);
    const { client: elsewhere } = await userOf(other, user);
    const take = await startTake(client, 'Harbour');
    const upload = { uploadId: take.peaksId, token: take.token };
    const bytes = randomBytes(5000);
    await appendAll(client, upload, { bytes: bytes.subarray(0, 2000) });
    await appendAll(elsewhere, upload, { bytes: bytes.subarray(0, 3000), fromByte: 2000 });

    const { id, audio } = await storeSpeechAs(client, 'Witness');
    await vi.waitFor(
      async () => {
        expect(await bucket.contents()).toContainEqual(
          expect.stringMatching(`^recordings/${id}/audio-0000\\.[0-9a-f-]+$`),
        );
      },
      { timeout: 30 * second, interval: second / 2 },
    );
    expect(await playedBytes(elsewhere, id)).toEqual(audio);

    await bucket.server().stop();
    await appendAll(client, upload, { bytes: bytes.subarray(0, 4000), fromByte: 3000 });
    const reply = await elsewhere.send({
      method: 'GET',
      path: `/api/recordings/${id}/audio`,
      headers: { cookie: elsewhere.cookie },
    });
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '10']);
    expect((await fetch(`${one.url}/readyz`)).status).toBe(200);
    const restarted = await launchOn(newFolder(), shared);
    await appendAll((await userOf(restarted, user)).client, upload, { bytes, fromByte: 4000 });

    await bucket.server().start();
    expect(await playedBytes(elsewhere, id)).toEqual(audio);
    const health = (await (await fetch(`${one.url}/healthz`)).json()) as object;
    expect(health).toMatchObject({ database: 'postgres', blobs: 's3', damaged: 0 });
    const { code, output } = await one.command('verify');
    expect({ code, output }).toMatchObject({
      code: 0,
      output: expect.stringContaining(' 0 damaged') as string,
    });
  });

  test('store the newest bytes in a database of their own', async () => {
    const [shared, hot] = [await settings(), await newDatabase()];
    const server = await launchOn(newFolder(), { ...shared, HOT_DATABASE_URL: hot });
    const { client } = await userOf(server);
    const take = await startTake(client, 'Harbour');
    await appendAll(client, { uploadId: take.peaksId, token: take.token }, { bytes: randomBytes(3000) });
    const sizes = (url: string) =>
      onPostgres(url, async (database) =>
        (
          await database.query(
            "select size_bytes from blobs where key like 'recordings/%' and size_bytes > 0",
          )
        ).rows.map((row: { size_bytes: string }) => Number(row.size_bytes)),
      );
    expect([await sizes(hot), await sizes(shared['DATABASE_URL'] ?? '')]).toEqual([[3000], []]);
  });

  test('answer 507 at HOT_LIMIT_BYTES, and the take continues once there is space', async () => {
    const shared = await settings();
    const limitBytes = 16 * 1024 ** 2;
    const server = await launchOn(newFolder(), { ...shared, HOT_LIMIT_BYTES: String(limitBytes) });
    const { client } = await userOf(server);
    await bucket.server().stop();
    const take = await startTake(client, 'Harbour');
    const upload = { uploadId: take.peaksId, token: take.token };
    const bytes = randomBytes(1024 ** 2);
    let offsetBytes = 0;
    let status = 204;
    while (status === 204) {
      ({ status } = await client.append({ ...upload, offsetBytes, bytes }));
      if (status === 204) offsetBytes += bytes.length;
    }
    expect(status).toBe(507);
    expect(offsetBytes).toBeLessThanOrEqual(limitBytes);
    await bucket.server().start();
    await vi.waitFor(
      async () => {
        expect((await client.append({ ...upload, offsetBytes, bytes })).status).toBe(204);
      },
      { timeout: 40 * second, interval: second / 2 },
    );
  });

  test('end their start with one sentence for a mistake, but not for an outage', async () => {
    const shared = await settings();
    const start = (variables: Record<string, string>) =>
      rejection({ DATA_DIR: newFolder(), ...shared, ...variables });
    const storage = shared['STORAGE_URL'] ?? '';
    const host = new URL(bucket.server().endpoint).host;
    expect(await start({ STORAGE_URL: storage.replace('earshot', 'another') })).toBe(
      `The object store at ${host} has no bucket "another": create it, or correct STORAGE_URL.`,
    );
    expect(await start({ S3_SECRET_ACCESS_KEY: 'wrong' })).toContain(
      `The object store at ${host} denies access to the bucket "earshot": correct S3_ACCESS_KEY_ID`,
    );
    const nothing = `s3://earshot?endpoint=http://127.0.0.1:${await freePort()}`;
    const server = await launchOn(newFolder(), { ...shared, STORAGE_URL: nothing });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(server.output).toContain('bytes cannot be moved to the object store');
  });

  test('start within seconds beside an object store that accepts connections and never answers', async () => {
    const shared = await settings();
    const silent = createServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const open: Socket[] = [];
    silent.on('connection', (socket) => {
      open.push(socket.on('error', () => undefined));
    });
    onTestFinished(() => {
      for (const socket of open) socket.destroy();
      silent.close();
    });
    const { port } = silent.address() as AddressInfo;
    const server = await launchOn(newFolder(), {
      ...shared,
      STORAGE_URL: `s3://earshot?endpoint=http://127.0.0.1:${port}`,
    });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(open.length).toBeGreaterThan(0);
    expect(server.output).toContain('bytes cannot be moved to the object store');
  });

  test('reject rows of another database, in which no recording has bytes', async () => {
    const shared = await settings();
    const server = await launchOn(newFolder(), shared);
    await storeSpeechAs((await userOf(server)).client, 'Harbour');
    await server.end('SIGTERM');
    expect(
      await rejection({ DATA_DIR: newFolder(), ...shared, HOT_DATABASE_URL: await newDatabase() }),
    ).toContain(
      'The database lists 1 stored recording, but the store of STORAGE_URL has none of the bytes: correct STORAGE_URL',
    );
  });

  test('reject a bucket or prefix that has none of the objects, before they move bytes to it', async () => {
    const shared = await settings();
    const server = await launchOn(newFolder(), shared);
    const { client, user } = await userOf(server);
    const { id, audio } = await storeSpeechAs(client, 'Harbour');
    await vi.waitFor(
      async () => {
        const names = (await bucket.contents()).filter((name) => name.startsWith(`recordings/${id}/`));
        expect(names).toContainEqual(expect.stringMatching(/\/audio-0000\.[0-9a-f-]{36}$/));
        expect(names).toContainEqual(expect.stringMatching(/\/peaks-0000\.[0-9a-f-]{36}$/));
      },
      { timeout: 30 * second, interval: second / 2 },
    );
    await server.end('SIGTERM');
    const elsewhere = (shared['STORAGE_URL'] ?? '').replace('earshot/test', 'earshot/other');
    const variables = { DATA_DIR: newFolder(), ...shared, STORAGE_URL: elsewhere };
    expect(await rejection(variables)).toBe(
      'The database lists 1 stored recording, but the bucket and prefix of STORAGE_URL have none of the objects: correct STORAGE_URL, or copy the objects to this bucket; to abandon the audio, set FORGET_RECORDINGS=1.',
    );
    expect((await bucket.contents()).filter((name) => name.startsWith('other/'))).toEqual([]);
    const accepted = await launchOn(newFolder(), { ...variables, FORGET_RECORDINGS: '1' });
    await accepted.end('SIGTERM');
    const restarted = await launchOn(newFolder(), shared);
    expect(await playedBytes((await userOf(restarted, user)).client, id)).toEqual(audio);
  });
});
