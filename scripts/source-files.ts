import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

/** Files of the repository are identified by their path from its root. */
export const fileExists = (file: string): boolean => existsSync(join(root, file));
export const readSource = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Lists the files below some paths or patterns, including untracked ones that git does not ignore. */
export const filesUnder = (...paths: readonly string[]): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...paths], {
    cwd: root,
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .filter((file) => file !== '' && fileExists(file));

/** Of these files, those that the command line names; all of them if it names none. */
export function named(files: readonly string[], names: readonly string[] = process.argv.slice(2)): string[] {
  return files.filter((file) => names.length === 0 || names.includes(file));
}

const isTest = (file: string): boolean => /\.(test|suite)\.tsx?$/.test(file);
export const isTypeScript = (file: string): boolean => /\.tsx?$/.test(file);

/** Lists the product's files, without tests and type declarations of other packages. */
export const productFiles = (): string[] =>
  filesUnder('src').filter((file) => !isTest(file) && !file.endsWith('.d.ts'));
