import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { second } from '#base/duration.ts';
import { partialUploadMediaType } from '#contract/uploads-api.ts';
import { findPostgres, startPostgres, type TestPostgres } from '#scripts/postgres-for-tests.ts';
import { ApiClient, startTake } from '#tests/support/api-client.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';

const bin = findPostgres();

const metricsToken = 'a token of at least sixteen';

interface Running {
  postgres: TestPostgres;
  server: EarshotServer;
  admin: ApiClient;
}

/** A server on a PostgreSQL of its own, and its administrator. */
async function serverOnPostgres(): Promise<Running> {
  // What was committed before a crash is still there.
  const postgres = await startPostgres(bin ?? '', { isDurable: true });
  onTestFinished(() => postgres.stop());
  const server = await EarshotServer.launch({ DATABASE_URL: postgres.url, METRICS_TOKEN: metricsToken });
  onTestFinished(() => server.dispose());
  const admin = new ApiClient(server.url);
  onTestFinished(() => {
    admin.close();
  });
  await admin.signUp();
  return { postgres, server, admin };
}

/** Returns a process and those that it started. */
function withChildren(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number))];
}

function freeze(pid: number): void {
  const frozen = withChildren(pid);
  for (const one of frozen) process.kill(one, 'SIGSTOP');
  onTestFinished(() => {
    // A test that ended as it should has done it already.
    if (existsSync(`/proc/${pid}`)) thaw(pid);
  });
}

/** Also wakes its parent: `runuser` stops with the program that it runs. */
function thaw(pid: number): void {
  const parent = Number(/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  for (const one of [...withChildren(pid), parent]) process.kill(one, 'SIGCONT');
}

/** Sends an append whose body follows its headers by so long. Returns status, code and whether to try again. */
function appendInParts(
  { url }: EarshotServer,
  take: { audioId: string; token: string },
  bodyAfterMs: number,
): Promise<unknown[]> {
  const bytes = Buffer.alloc(3000);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${url}/api/uploads/${take.audioId}`,
      {
        method: 'PATCH',
        agent: false,
        headers: {
          'content-type': partialUploadMediaType,
          authorization: `Bearer ${take.token}`,
          'upload-offset': 0,
          'upload-epoch': 1,
          'content-length': bytes.length,
          'content-digest': `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`,
        },
      },
      (response) => {
        let text = '';
        response.on('data', (chunk) => (text += String(chunk)));
        response.on('end', () => {
          const { code } = JSON.parse(text === '' ? '{}' : text) as { code?: string };
          resolve([response.statusCode, code, Number(response.headers['retry-after']) > 0]);
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.flushHeaders();
    setTimeout(() => outgoing.end(bytes), bodyAfterMs);
  });
}

describe.skipIf(bin === null)('while PostgreSQL is unavailable', () => {
  test('H7, M7: every request is answered with 503, whenever its body arrives, and the log says it once', async () => {
    const { postgres, server, admin } = await serverOnPostgres();
    // Not in memory yet: the server asks the database for its token before the body is there.
    const take = await startTake(admin, 'Kiln');
    await postgres.end();
    for (const bodyAfterMs of [0, 0, 50, 300])
      expect(await appendInParts(server, take, bodyAfterMs)).toEqual([503, 'unavailable', true]);
    for (const path of ['/api/recordings', `/api/recordings/${take.recordingId}/audio`]) {
      const { status, body } = await admin.send({ method: 'GET', path, headers: { cookie: admin.cookie } });
      expect([path, status, String(body).includes('"unavailable"')]).toEqual([path, 503, true]);
    }
    expect(server.output.match(/"outage":"database"/g)).toHaveLength(1);
    expect(server.output).not.toContain('"level":50');
    await postgres.restart();
    await expect.poll(() => appendInParts(server, take, 0)).toEqual([204, undefined, false]);
  });

  test.each(['killed', 'frozen'] as const)(
    'H2: %s, the metrics are complete but for what it knows, and the server status names it within 5 s',
    async (how) => {
      const { postgres, admin } = await serverOnPostgres();
      const metrics = () =>
        admin.send({ method: 'GET', path: '/metrics', headers: { authorization: `Bearer ${metricsToken}` } });
      const status = () =>
        admin.send({ method: 'GET', path: '/api/admin/status', headers: { cookie: admin.cookie } });
      expect(String((await metrics()).body)).toMatch(/^earshot_database_up 1$/m);
      expect((await status()).status).toBe(200);
      const { pid } = postgres;
      if (how === 'killed') await postgres.end();
      else freeze(pid);
      const lost = await metrics();
      expect(lost.status).toBe(200);
      expect(String(lost.body)).toMatch(/^earshot_database_up 0$/m);
      expect(String(lost.body)).not.toMatch(/^earshot_(?:damaged_segments|jobs_waiting|nodes) /m);
      const asked = performance.now();
      const { status: code, body } = await status();
      const tookMs = performance.now() - asked;
      expect([code, JSON.parse(String(body))]).toEqual([
        200,
        expect.objectContaining({
          warnings: expect.arrayContaining([{ code: 'database-unreachable' }]) as unknown,
          isComplete: false,
        }),
      ]);
      expect(tookMs).toBeLessThan(5 * second);
      const others = await admin.send({
        method: 'GET',
        path: '/api/admin/installation',
        headers: { cookie: admin.cookie },
      });
      expect(others.status).toBe(503);
      if (how === 'frozen') thaw(pid);
      else await postgres.restart();
      await expect
        .poll(async () => String((await metrics()).body), { timeout: 30 * second })
        .toMatch(/^earshot_database_up 1$/m);
    },
  );
});
