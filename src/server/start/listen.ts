import { codeOf } from '#base/errors/code-of.ts';
import type { Config } from '#server/config.ts';
import type { HttpApp } from '#server/http/app.ts';
import { explained, type Explain } from '#server/start-error.ts';

type Sentence = (host: string, port: number) => string;

const examples = 'such as 127.0.0.1, or 0.0.0.0 (every IPv4 address) or :: (every address)';

const notOurs: Sentence = (host) =>
  `HOST=${host} is not an address of this machine: set HOST to one of its addresses, ${examples}.`;
const unresolved: Sentence = (host) =>
  `HOST=${host} cannot be resolved to an address: set HOST to an address of this machine, ${examples}.`;
const notAllowed: Sentence = (_host, port) =>
  `This user may not listen on port ${port}: set PORT to 1024 or higher, or allow the program to use low ports (CAP_NET_BIND_SERVICE).`;

const sentences: Readonly<Record<string, Sentence>> = {
  EADDRINUSE: (host, port) =>
    `Another program already uses port ${port} of HOST=${host}: stop that program, or set PORT to another number.`,
  EADDRNOTAVAIL: notOurs,
  EINVAL: notOurs,
  ENOTFOUND: unresolved,
  EAI_AGAIN: unresolved,
  EAI_FAIL: unresolved,
  EAFNOSUPPORT: (host) =>
    `HOST=${host} belongs to a protocol that is disabled on this machine (IPv6 or IPv4): set HOST to an address of the other one.`,
  EACCES: notAllowed,
  EPERM: notAllowed,
};

/** Explains why the server cannot listen at `HOST` and `PORT`. */
const explainListening =
  ({ host, port }: Pick<Config, 'host' | 'port'>): Explain =>
  (error) =>
    sentences[codeOf(error)]?.(host, port) ?? null;

/**
 * Returns the URL of the server: the configured one, else one on this machine, with an IPv6 address in brackets.
 */
function linkOf(
  { host, port, publicUrl }: Pick<Config, 'host' | 'port' | 'publicUrl'>,
  listening: string,
): string {
  if (publicUrl !== `http://localhost:${port}`) return publicUrl;
  return `http://${host === '::1' ? '[::1]' : 'localhost'}:${new URL(listening).port || '80'}`;
}

/**
 * Listens at `HOST` and `PORT`.
 * @returns the URL of the server
 * @throws StartError when that is impossible for a known reason
 */
export async function listen(app: HttpApp, config: Config): Promise<string> {
  return linkOf(
    config,
    await explained(explainListening(config), () => app.listen({ host: config.host, port: config.port })),
  );
}
