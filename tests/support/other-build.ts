import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const built = join(import.meta.dirname, '..', '..', 'dist', 'web');

/** All files below a folder that may refer to other files of the build. */
function textsBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(js|html|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** A copy of the web app's build, which a test may turn into another build. */
export function copyBuild(): { directory: string; remove: () => void } {
  const directory = mkdtempSync(join(tmpdir(), 'earshot-build-'));
  cpSync(built, directory, { recursive: true });
  return {
    directory,
    remove: () => {
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Replaces the build by another one, as a change to a module used everywhere would: every script gets a new name,
 * and the old names no longer exist.
 */
export function renewBuild(directory: string): void {
  const assets = join(directory, 'assets');
  const nowMs = Date.now();
  const names = readdirSync(assets, { recursive: true, encoding: 'utf8' });
  // The compressed copies would still refer to the old files.
  for (const name of names.filter((each) => /\.(br|gz)$/.test(each))) rmSync(join(assets, name));
  for (const name of readdirSync(directory).filter((each) => /\.(br|gz)$/.test(each)))
    rmSync(join(directory, name));
  // Two scripts may have the same name and differ only in their hash.
  const renamed = names
    .filter((each) => each.endsWith('.js'))
    .map((old, nth) => [old, old.replace(/-[\w-]{8}\.js$/, `-${String(nowMs + nth).slice(-8)}.js`)] as const);
  for (const file of textsBelow(directory)) {
    const text = renamed.reduce(
      (changed, [old, next]) => changed.replaceAll(basename(old), basename(next)),
      readFileSync(file, 'utf8'),
    );
    writeFileSync(file, file.endsWith('service.worker.js') ? withNewPage(text, String(nowMs)) : text);
  }
  for (const [old, next] of renamed) renameSync(join(assets, old), join(assets, next));
}

/** A precached page is identified by its revision. */
function withNewPage(text: string, stamp: string): string {
  const revision = /"revision":"[0-9a-f]+","url":"\/app-shell"/;
  if (!revision.test(text)) throw new Error('the service worker precaches no page');
  return text.replace(revision, `"revision":"${stamp}","url":"/app-shell"`);
}
