import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const namesSchema = z.array(z.string()).default([]);
const manifestSchema = z.record(
  z.string(),
  z.object({ file: z.string(), imports: namesSchema, dynamicImports: namesSchema, css: namesSchema }),
);

/** Maps source files to the files of the build. */
export type Manifest = z.infer<typeof manifestSchema>;

/** Reads the manifest of the built web app. */
export async function readManifest(directory: string): Promise<Manifest> {
  return manifestSchema.parse(JSON.parse(await readFile(join(directory, '.vite', 'manifest.json'), 'utf8')));
}

/** Returns the files of a module and of everything it imports, with styles listed separately. */
export function filesOfModule(
  manifest: Manifest,
  module: string,
): { scripts: Set<string>; styles: Set<string> } {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const visit = (name: string): void => {
    const chunk = manifest[name];
    if (!chunk || scripts.has(chunk.file)) return;
    scripts.add(chunk.file);
    chunk.css.forEach((file) => styles.add(file));
    chunk.imports.forEach(visit);
  };
  visit(module);
  return { scripts, styles };
}

/**
 * Returns the files of each language that a page needs before it can show anything, by tag: the first part of its
 * catalogue and React Aria's strings.
 */
export function languageFiles(manifest: Manifest): Map<string, string[]> {
  const files = Object.entries(manifest).flatMap(
    ([source, { file, dynamicImports }]): [string, string[]][] => {
      const tag = /locales\/([\w-]+)\.po\?first/.exec(source)?.[1];
      const aria = dynamicImports.find((name) => name.includes('react-aria-components/i18n/'));
      return tag === undefined ? [] : [[tag, [file, manifest[aria ?? '']?.file ?? []].flat()]];
    },
  );
  return new Map(files);
}
