import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { comesFromForeignPage, sharePath } from './receive-share.ts';

const manifestSchema = z.object({
  share_target: z.object({
    action: z.string(),
    method: z.string(),
    enctype: z.string(),
    params: z.object({ files: z.array(z.object({ name: z.string(), accept: z.array(z.string()) })) }),
  }),
});

test('declares a share target in the web app manifest that matches the path of the service worker', async () => {
  const manifest = manifestSchema.parse(
    JSON.parse(await readFile(join(import.meta.dirname, '../../web/public/manifest.webmanifest'), 'utf8')),
  );
  expect(manifest.share_target).toMatchObject({
    action: sharePath,
    method: 'POST',
    enctype: 'multipart/form-data',
    params: { files: [{ name: 'files' }] },
  });
  expect(manifest.share_target.params.files[0]?.accept).toEqual(
    expect.arrayContaining(['audio/*', 'video/*']),
  );
});

const own = 'https://ear.example.org';

test.each([
  ['the system, which names no page', { destination: 'document', referrer: '' }, false],
  ['the system, as a browser may name it', { destination: 'document', referrer: 'about:client' }, false],
  ['an Android app', { destination: 'document', referrer: 'android-app://org.example.notes/' }, false],
  ['a page of its own', { destination: 'document', referrer: `${own}/library` }, false],
  ['a page of another site', { destination: 'document', referrer: 'https://evil.example/' }, true],
  ['a page of another port', { destination: 'document', referrer: 'https://ear.example.org:8443/' }, true],
  ['a frame', { destination: 'iframe', referrer: '' }, true],
  ['a script', { destination: '', referrer: '' }, true],
] as const)('rejects a share by %s as foreign only where it certainly is', (_name, request, isForeign) => {
  expect(comesFromForeignPage(request, own)).toBe(isForeign);
});
