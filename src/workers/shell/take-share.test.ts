import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { sharePath } from './take-share.ts';

const manifestSchema = z.object({ share_target: z.object({ action: z.string(), method: z.string(), enctype: z.string(), params: z.object({ files: z.array(z.object({ name: z.string(), accept: z.array(z.string()) })) }) }) });

test('the web app manifest sends shared files to where the service worker takes them', async () => {
  const manifest = manifestSchema.parse(JSON.parse(await readFile(join(import.meta.dirname, '../../web/public/manifest.webmanifest'), 'utf8')));
  expect(manifest.share_target).toMatchObject({ action: sharePath, method: 'POST', enctype: 'multipart/form-data', params: { files: [{ name: 'files' }] } });
  expect(manifest.share_target.params.files[0]?.accept).toEqual(expect.arrayContaining(['audio/*', 'video/*']));
});
