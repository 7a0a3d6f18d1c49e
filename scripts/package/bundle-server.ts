import { copyFile, glob, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, type Plugin } from 'vite';

const root = join(import.meta.dirname, '..', '..');

/** Has a binary for each processor, so it stays a package. */
export const externalPackage = '@node-rs/argon2';

const scriptPath = /new URL\((?<quote>['"])(?<name>[\w-]+\.process)\.ts\k<quote>, import\.meta\.url\)/g;
const ownPath = /new URL\((['"`])(?<path>.*?)\1, import\.meta\.url\)/g;

/** Calls the scripts of child processes by their names in the bundle, whose files are all in one folder. */
const processScripts: Plugin = {
  name: 'process-scripts',
  transform(code) {
    if (!code.includes('.process.ts')) return null;
    return {
      code: code.replaceAll(scriptPath, "new URL('$<name>.js', import.meta.url)"),
      map: null,
    };
  },
};

/** The scripts that processes are started with, by their names in the bundle. */
async function entries(): Promise<Record<string, string>> {
  const found: Record<string, string> = { earshot: join(root, 'src', 'server', 'earshot.ts') };
  for await (const path of glob('src/server/**/*.process.ts', { cwd: root }))
    found[basename(path, '.ts')] = join(root, path);
  return found;
}

/**
 * Copies the files that the server reads beside its code. Returns their names. The engine that transcribes is not in a
 * package, so neither is its speech detector, which would make the package too large.
 */
async function copyData(outDir: string): Promise<string[]> {
  const names: string[] = [];
  for await (const path of glob('src/server/**/*.ogg', { cwd: root })) {
    await copyFile(join(root, path), join(outDir, basename(path)));
    names.push(basename(path));
  }
  return names;
}

/** The scripts that files of the bundle start and that are not in it. */
async function missingScripts(directory: string, files: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const file of files.filter((name) => name.endsWith('.js'))) {
    const code = await readFile(join(directory, file), 'utf8');
    for (const { groups } of code.matchAll(ownPath)) {
      const path = groups?.['path'] ?? '';
      if (!files.includes(path)) missing.push(`${path}, which ${file} starts`);
    }
  }
  return missing;
}

/**
 * Bundles the server, its commands and its child processes into `outDir`, which is emptied first: JavaScript, source
 * maps without the sources, the data that it reads, and `THIRD-PARTY-LICENSES.md` of what is in it.
 * @throws Error if a script that the server starts is not in the bundle
 */
export async function bundleServer(outDir: string): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    plugins: [processScripts],
    ssr: { noExternal: true, external: [externalPackage], target: 'node' },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      sourcemap: true,
      license: { fileName: 'THIRD-PARTY-LICENSES.md' },
      rolldownOptions: {
        input: await entries(),
        output: {
          format: 'esm',
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          sourcemapExcludeSources: true,
        },
      },
    },
  });
  const files = await copyData(outDir);
  for await (const path of glob('*.js', { cwd: outDir })) files.push(path);
  const missing = await missingScripts(outDir, files);
  if (missing.length > 0) throw new Error(`The bundle lacks ${missing.join('; ')}`);
}
