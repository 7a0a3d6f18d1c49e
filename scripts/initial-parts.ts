import { basename, relative } from 'node:path';
import { minifySync, type Plugin, type Rolldown } from 'vite';

/** The file with the result, in the folder of the build that the server doesn't serve. */
export const initialPartsFile = '.vite/initial-parts.json';

/** Sizes of the modules of `src/` that the first visit loads, in minified bytes, by path below `src/`. */
export type InitialParts = Record<string, number>;

/** The minified size of one module. The bundler minifies whole files, so their modules have no size of their own. */
function minifiedBytes(file: string, code: string): number {
  const options = { module: true, mangle: { toplevel: true }, compress: { unused: false } } as const;
  const { code: minified, errors } = minifySync(file, code, options);
  if (errors.length > 0) throw new Error(`${file} could not be minified`, { cause: errors });
  return Buffer.byteLength(minified);
}

/** The modules whose files every first visit loads, with their imports. */
const entries = ['index.html', 'main.tsx'];

/** The files of the entries and everything that they import statically. */
function initialChunks(bundle: Rolldown.OutputBundle): Rolldown.OutputChunk[] {
  const found = new Map<string, Rolldown.OutputChunk>();
  const visit = (file: string): void => {
    const chunk = bundle[file];
    if (chunk?.type !== 'chunk' || found.has(file)) return;
    found.set(file, chunk);
    chunk.imports.forEach(visit);
  };
  for (const [file, chunk] of Object.entries(bundle)) {
    const facade = chunk.type === 'chunk' ? chunk.facadeModuleId : null;
    if (facade && entries.includes(basename(facade))) visit(file);
  }
  return [...found.values()];
}

/** Records how much of the first visit each module of `src/` is, for scripts/initial-sizes.ts. */
export function initialParts(source: string): Plugin {
  return {
    name: 'initial-parts',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle(_, bundle) {
      const modules = initialChunks(bundle).flatMap((chunk) => Object.entries(chunk.modules));
      const parts: InitialParts = {};
      for (const [id, { code }] of modules) {
        const path = relative(source, id.replace(/\?.*$/, '')).replaceAll('\\', '/');
        if (code !== null && !path.startsWith('..')) parts[path] = minifiedBytes(path, code);
      }
      this.emitFile({ type: 'asset', fileName: initialPartsFile, source: JSON.stringify(parts) });
    },
  };
}
