import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { codeOf } from '#base/errors/code-of.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Replaces `NAME` by the content of the file that `NAME_FILE` names, for each of our variables, so that the
 * environment contains no secrets. A line break at the end of the file is removed.
 */
export function withSecretFiles(
  environment: Environment,
  isOurs: (name: string) => boolean,
): { environment: Record<string, string | undefined>; mistakes: string[] } {
  const resolved: Record<string, string | undefined> = { ...environment };
  const mistakes: string[] = [];
  for (const [variable, path] of Object.entries(environment)) {
    const name = variable.replace(/_FILE$/, '');
    if (name === variable || !isOurs(name) || path === undefined || path === '') continue;
    if ((environment[name] ?? '') !== '') mistakes.push(`${variable} cannot be used: ${name} is set as well`);
    try {
      resolved[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      mistakes.push(`${variable} names a file that cannot be read: ${resolve(path)} (${codeOf(error)})`);
    }
  }
  return { environment: resolved, mistakes };
}
