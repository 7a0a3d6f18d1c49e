import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
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
  const postgres = await startPostgres(bin ?? '');
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
});
