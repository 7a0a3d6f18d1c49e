import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

/** Files of the repository are named by their path from its root. */
export const fileExists = (file: string): boolean => existsSync(join(root, file));
export const readSource = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The files under some paths or patterns, those that git does not track yet included. */
export const filesUnder = (...paths: readonly string[]): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...paths], {
    cwd: root,
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .filter((file) => file !== '' && fileExists(file));

const isTest = (file: string): boolean => /\.(test|suite)\.tsx?$/.test(file);
export const isTypeScript = (file: string): boolean => /\.tsx?$/.test(file);

/** What the product is made of: no tests, and no declarations of foreign modules. */
export const productFiles = (): string[] =>
  filesUnder('src').filter((file) => !isTest(file) && !file.endsWith('.d.ts'));
