import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from './earshot-test.ts';
import { asListener, shareSpeech } from './listening-steps.ts';

/** A page of another origin with the player in it, which stores the messages that it receives. */
async function otherPage(playerUrl: string, steps: (origin: string) => Promise<void>): Promise<void> {
  const server: Server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Blog</title>
<iframe title="player" src="${playerUrl}" allow="autoplay" width="600" height="300"></iframe>
<script>
const messages = [];
addEventListener('message', ({ data }) => { if (data.source === 'earshot') messages.push(data); });
const send = (message) => frames[0].postMessage({ source: 'earshot', ...message }, '*');
</script>`);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  try {
    await steps(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
  }
}

test('another page embeds the player, follows it by messages, and controls it', async ({
  page,
  server,
  consoleGuard,
}) => {
  const { url } = await shareSpeech(page, { title: 'Vows', embed: 'any' });
  await otherPage(url.replace('/s/', '/embed/'), async (origin) => {
    await asListener({ server, consoleGuard }, {}, async (listener) => {
      await listener.goto(origin);
      const player = listener.frameLocator('iframe');
      await expect(player.getByRole('heading', { name: 'Vows' })).toBeVisible();
      const received = (type: string) =>
        listener.evaluate<object[]>(`messages.filter((message) => message.type === '${type}')`);
      await expect.poll(() => received('ready')).toEqual([{ source: 'earshot', type: 'ready', seconds: 11 }]);
      await expect.poll(async () => (await received('height')).length).toBeGreaterThan(0);
      await player.getByRole('button', { name: 'Play recording' }).click();
      await expect.poll(async () => (await received('time')).length).toBeGreaterThan(1);
      await listener.evaluate('send({ type: "seek", seconds: 8 })');
      await expect(player.getByRole('slider')).toHaveAttribute('aria-valuenow', /^(8|9)\d{3}$/);
      await listener.evaluate('send({ type: "pause" })');
      await expect(player.getByRole('button', { name: 'Play recording' })).toBeVisible();
      await expect
        .poll(() => received('state'))
        .toContainEqual({
          source: 'earshot',
          type: 'state',
          state: 'paused',
        });
    });
  });
});

test('a page whose origin the link does not name cannot show the player', async ({
  page,
  server,
  consoleGuard,
}) => {
  consoleGuard.allow(/frame-ancestors|Framing/);
  const { url } = await shareSpeech(page, { title: 'Vows', embed: ['https://blog.example'] });
  await otherPage(url.replace('/s/', '/embed/'), async (origin) => {
    await asListener({ server, consoleGuard }, {}, async (listener) => {
      await listener.goto(origin);
      await expect(listener.frameLocator('iframe').getByText('Vows')).toHaveCount(0);
      expect(await listener.evaluate('messages.length')).toBe(0);
    });
  });
});
