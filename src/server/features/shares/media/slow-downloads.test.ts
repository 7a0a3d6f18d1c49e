import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Share } from '#contract/shares.ts';
import { apiOnSqlite, recordTake } from '#tests/support/api-under-test.ts';
import { hasFfmpeg } from '#tests/support/sample-files.ts';
import { share, tokenOf } from '#tests/support/sharing.ts';

const seconds = 600;
/** More than the buffers of the process and of the sockets hold. */
const minBytes = 50e6;

describe.skipIf(!hasFfmpeg)('a converted download that its listener does not read', () => {
  /** A server with two links of one recording, and a function that opens a download from an address. */
  async function serve() {
    const api = await apiOnSqlite();
    const user = await api.signIn();
    const { recordingId } = await recordTake(api, user, seconds);
    const made = () => share({ api, user }, recordingId, { download: 'formats' });
    const links = [await made(), await made()] as const;
    const address = await api.app.listen({ host: '127.0.0.1', port: 0 });
    async function open(shared: Share, localAddress: string): Promise<IncomingMessage> {
      const outgoing = get(`${address}/s/${tokenOf(shared)}/download?format=wav`, {
        agent: false,
        localAddress,
      });
      onTestFinished(() => {
        outgoing.destroy();
      });
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
      return response;
    }
    return { links, open };
  }

  test('holds up neither other links nor other listeners of its link', async () => {
    const {
      links: [shared, other],
      open,
    } = await serve();
    const unread = await open(shared, '127.0.0.1');
    let isOver = false;
    unread.once('close', () => {
      isOver = true;
    });
    for (const [link, from] of [
      [other, '127.0.0.1'],
      [shared, '127.0.0.2'],
    ] as const) {
      const file = await open(link, from);
      expect(file.statusCode).toBe(200);
      expect((await buffer(file)).length).toBeGreaterThan(minBytes);
    }
    expect(isOver).toBe(false);
    // It continues where its listener stopped.
    expect((await buffer(unread)).length).toBeGreaterThan(minBytes);
  });
});
