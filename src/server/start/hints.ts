import { isLoopback } from '#server/http/edge/loopback.ts';
import { type Config, variableNames } from '#server/config.ts';

/** Too short, or too common, for a name that is one letter off to be meant for Earshot. */
const common: ReadonlySet<string> = new Set(['PORT', 'HOST', 'PATH']);
const ours = variableNames.filter((name) => !common.has(name));

const plain = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z]/g, '');

/** Returns whether two names differ by one added, missing or different letter. */
function isOneLetterOff(one: string, other: string): boolean {
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  let at = 0;
  while (at < shorter.length && shorter[at] === longer[at]) at += 1;
  return longer.slice(at + 1) === shorter.slice(shorter.length === longer.length ? at + 1 : at);
}

const withoutFile = (name: string): string => name.replace(/_FILE$/, '');

/** Points out variables that are probably misspelled names of ours. */
export function misspelledVariables(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(environment).flatMap((name) => {
    if (ours.includes(withoutFile(name))) return [];
    const meant = ours.find((each) => isOneLetterOff(plain(withoutFile(name)), plain(each)));
    return meant === undefined ? [] : [`The variable ${name} is unknown to Earshot: did you mean ${meant}?`];
  });
}

const everyAddress = new Set(['0.0.0.0', '::']);

/**
 * Points out a server that cannot be reached: it listens on only one network address, but answers only under
 * localhost.
 */
export function reachHints({ host, port, publicUrl }: Pick<Config, 'host' | 'port' | 'publicUrl'>): string[] {
  const listening = URL.parse(`http://${host.includes(':') ? `[${host}]` : host}`);
  if (
    publicUrl !== `http://localhost:${port}` ||
    everyAddress.has(host) ||
    listening === null ||
    isLoopback(listening)
  )
    return [];
  return [
    `Earshot listens on HOST=${host}, but only accepts requests for ${publicUrl}, because PUBLIC_URL is not set: set it to the address that users open (https://…).`,
  ];
}
