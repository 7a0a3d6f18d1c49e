import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sourceLocale } from '#contract/locales.ts';
import { noListeningFiles, readListeningFiles } from './listening-files.ts';
import { renderDocument } from './page-document.ts';
import { markup } from './html.ts';

async function builtWith(script: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'earshot-listening-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  await mkdir(join(directory, '.vite'));
  await writeFile(join(directory, '.vite', 'listening.js'), script);
  await writeFile(join(directory, '.vite', 'listening.css'), 'body{color:red}');
  return directory;
}

test('the policy has the hashes of exactly what stands in the page', async () => {
  const files = await readListeningFiles(await builtWith('if (1 < 2 && "$&") run();'));
  const page = renderDocument(
    { locale: sourceLocale, files, linkPath: '/s/x', homeUrl: '/' },
    { title: 'x', main: markup``, hasScript: true, hasForm: false },
  );
  const hashOf = (name: string) => {
    const [, text = ''] = new RegExp(`<${name}>([^]*?)</${name}>`).exec(page) ?? [];
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  };
  expect([files.scriptHash, files.styleHash]).toEqual([hashOf('script'), hashOf('style')]);
});

test('rejects a script that would end its own element, and works without a build', async () => {
  await expect(readListeningFiles(await builtWith('"</SCRIPT>"'))).rejects.toThrow('end of its own element');
  expect(await readListeningFiles('/nowhere')).toEqual(noListeningFiles);
});
