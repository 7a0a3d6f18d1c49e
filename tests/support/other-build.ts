import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const built = join(import.meta.dirname, '..', '..', 'dist', 'web');

/** Below a folder, every file of the build that names other files. */
function textsBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(js|html|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** A copy of the web app's build, which a test may turn into other builds. */
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
 * Makes another build of it in the same place, as a change in what everything uses would: every script gets
 * another name, whatever names it follows, and the old names are gone.
 */
export function renewBuild(directory: string): void {
  const assets = join(directory, 'assets');
  const nowMs = Date.now();
  const names = readdirSync(assets, { recursive: true, encoding: 'utf8' });
  // The packed copies would still name the old files.
  for (const name of names.filter((each) => /\.(br|gz)$/.test(each))) rmSync(join(assets, name));
  for (const name of readdirSync(directory).filter((each) => /\.(br|gz)$/.test(each)))
    rmSync(join(directory, name));
  // Two scripts may have the same name and differ in their hash alone.
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

/**
 * Takes one script away that a device keeps from the beginning, as a disk that fails for a while would; the
 * answer puts it back.
 */
export function hideAPart(directory: string): () => void {
  const assets = join(directory, 'assets');
  const name = readdirSync(assets).find((each) => each.startsWith('library-page-') && each.endsWith('.js'));
  if (name === undefined) throw new Error('the build has no page of the library');
  renameSync(join(assets, name), join(directory, `${name}.hidden`));
  return () => {
    renameSync(join(directory, `${name}.hidden`), join(assets, name));
  };
}

/** A kept page is known by its revision. */
function withNewPage(text: string, stamp: string): string {
  const revision = /"revision":"[0-9a-f]+","url":"\/app-shell"/;
  if (!revision.test(text)) throw new Error('the service worker keeps no page');
  return text.replace(revision, `"revision":"${stamp}","url":"/app-shell"`);
}
