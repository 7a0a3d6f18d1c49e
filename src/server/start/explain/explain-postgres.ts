import { codeOf } from '#base/errors/code-of.ts';
import { isInitFileFailure } from '#base/errors/no-space.ts';
import { withParts } from '#server/start/error-codes.ts';

interface Address {
  user: string;
  server: string;
  database: string;
}

/** Parses DATABASE_URL, without its password. */
function addressOf(url: string): Address {
  const { username, hostname, port, pathname } = new URL(url);
  const user = decodeURIComponent(username) || 'the user of the system';
  return {
    user,
    server: `${hostname || 'localhost'}:${port || '5432'}`,
    database: decodeURIComponent(pathname.slice(1)) || user,
  };
}

const messageByCode: Readonly<Record<string, (address: Address) => string>> = {
  ECONNREFUSED: ({ server }) =>
    `PostgreSQL does not respond at ${server}: start it, or correct DATABASE_URL.`,
  ENOTFOUND: ({ server }) =>
    `The host of ${server} cannot be resolved: correct DATABASE_URL, or the machine's name server.`,
  EAI_AGAIN: ({ server }) =>
    `The host of ${server} cannot be resolved at the moment: correct DATABASE_URL, or the machine's name server.`,
  EHOSTUNREACH: ({ server }) =>
    `PostgreSQL at ${server} cannot be reached: check the network and firewalls in between, or correct DATABASE_URL.`,
  ENETUNREACH: ({ server }) =>
    `PostgreSQL at ${server} cannot be reached: check the network, or correct DATABASE_URL.`,
  ETIMEDOUT: ({ server }) =>
    `PostgreSQL at ${server} does not respond in time: check the network and firewalls in between, or correct DATABASE_URL.`,
  ECONNRESET: ({ server }) =>
    `The program at ${server} is not PostgreSQL, or it closed the connection: correct DATABASE_URL.`,
  '28P01': ({ user, server }) =>
    `PostgreSQL at ${server} rejects the password of "${user}": correct DATABASE_URL (special characters of a password are written as %XX).`,
  '28000': ({ user, server }) =>
    `PostgreSQL at ${server} does not allow "${user}" to connect: correct DATABASE_URL, or allow the user in pg_hba.conf.`,
  '3D000': ({ user, server, database }) =>
    `PostgreSQL at ${server} has no database "${database}": create it (createdb --owner=${user} ${database}), or correct DATABASE_URL.`,
  '42501': ({ user, database }) =>
    `The user "${user}" may not create or change tables in the database "${database}": make the user its owner (alter database ${database} owner to ${user}).`,
  '3F000': ({ user, database }) =>
    `The database "${database}" has no schema in which "${user}" can create tables: create one (create schema public), or correct the search_path.`,
  '53100': ({ server }) =>
    `The disk of PostgreSQL at ${server} is full: free some space there, then try again.`,
  '53300': ({ server }) =>
    `PostgreSQL at ${server} has no connections left: raise max_connections, or stop other programs that use them (Earshot uses up to 10).`,
  '57P03': ({ server }) =>
    `PostgreSQL at ${server} is starting up or shutting down: start Earshot again in a moment.`,
  '25006': ({ server, database }) =>
    `The database "${database}" at ${server} is read-only (a replica?): set DATABASE_URL to the writable one.`,
};

/** pg has no error codes for these. */
const messageByPattern: readonly [RegExp, (address: Address) => string][] = [
  [
    /password must be a string/,
    ({ user, server }) =>
      `PostgreSQL at ${server} requires a password for "${user}", but DATABASE_URL has none: postgres://user:password@host/database.`,
  ],
  [/timeout/i, messageByCode['ETIMEDOUT'] ?? (() => '')],
  [
    /does not support SSL/,
    ({ server }) =>
      `PostgreSQL at ${server} does not support TLS: remove sslmode from DATABASE_URL, or enable TLS there.`,
  ],
  [/terminated unexpectedly/, messageByCode['ECONNRESET'] ?? (() => '')],
];

/** Explains why PostgreSQL cannot be used. */
export function explainPostgres(url: string): (error: unknown) => string | null {
  return (error) => {
    const address = addressOf(url);
    for (const part of withParts(error)) {
      const explanation =
        messageByCode[codeOf(part)] ??
        (part instanceof Error
          ? messageByPattern.find(([pattern]) => pattern.test(part.message))?.[1]
          : undefined);
      if (explanation !== undefined) return explanation(address);
      if (part instanceof Error && isInitFileFailure(part))
        return `PostgreSQL at ${address.server} cannot write to its disk, which is probably full: free some space there, then try again.`;
      if (/CERT|SELF_SIGNED/.test(codeOf(part)))
        return `The certificate of PostgreSQL at ${address.server} is not trusted (${codeOf(part)}): set NODE_EXTRA_CA_CERTS to the certificate of its authority, or correct DATABASE_URL.`;
    }
    return null;
  };
}
