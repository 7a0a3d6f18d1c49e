import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '#server/http/app.ts';
import { makeBuild } from '#tests/support/made-up-build.ts';
import { mountWebApp } from './web-app.ts';

const script = 'export const from = "this build";';

function serverOfBuild() {
  const directory = makeBuild({ 'first-aaaaaaaa.js': script, 'page-bbbbbbbb.css': 'a{}' });
  writeFileSync(join(directory, 'service.worker.js'), 'self.version = "this build";');
  const app = createApp({
    routes: [],
    identify: { session: async () => null, uploadCapability: async () => null },
    config: { publicUrl: 'http://localhost:3000', trustedProxyHops: 0 },
    plugins: [(scope) => mountWebApp(scope, directory)],
  });
  onTestFinished(() => app.close());
  return { app, directory };
}

const ofDisk = new Set(['accept-ranges', 'etag', 'last-modified', 'date', 'content-length', 'x-request-id']);

test.each(['br', 'identity'])(
  'files that are gone from disk are answered as before (%s)',
  async (encoding) => {
    const { app, directory } = serverOfBuild();
    const answers = async () => {
      const each = ['/assets/first-aaaaaaaa.js', '/assets/page-bbbbbbbb.css', '/service.worker.js'].map(
        async (url) => {
          const { statusCode, headers, rawPayload } = await app.inject({
            url,
            headers: { 'accept-encoding': encoding },
          });
          const named = Object.entries(headers).filter(([name]) => !ofDisk.has(name));
          return {
            url,
            statusCode,
            headers: Object.fromEntries(named),
            bytes: rawPayload.toString('base64'),
          };
        },
      );
      return Promise.all(each);
    };
    const before = await answers();
    expect(before.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    rmSync(directory, { recursive: true });
    expect(await answers()).toEqual(before);
  },
);

test('a page of this build loads its own service worker while another build replaces it', async () => {
  const { app, directory } = serverOfBuild();
  await app.ready();
  writeFileSync(join(directory, 'service.worker.js'), 'self.version = "another build";');
  expect((await app.inject('/service.worker.js')).body).toBe('self.version = "this build";');
});
