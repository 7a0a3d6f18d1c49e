import { createPrivateKey } from 'node:crypto';
import { providerIdSchema } from '#contract/providers-api.ts';
import { isLoopback } from './http/edge/loopback.ts';
import { secretMethods, type SecretMethod } from './features/accounts/providers/client-proof.ts';
import {
  knownProviders,
  reservedIds,
  type AppleSettings,
  type OidcSettings,
  type ProviderSettings,
} from './features/accounts/providers/provider-settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the variables of one provider and collects missing or wrong ones. */
interface Reader {
  required(name: string): string;
  optional(name: string, fallback: string): string;
  flag(name: string): boolean;
  reject(name: string, mistake: string): void;
}

function readerOf(environment: Environment, mistakes: string[]): Reader {
  const reject = (name: string, mistake: string): void => {
    mistakes.push(`${name} ${mistake}`);
  };
  return {
    reject,
    required(name) {
      const value = environment[name] ?? '';
      if (value === '') reject(name, 'is missing: the provider needs it');
      return value;
    },
    optional: (name, fallback) => environment[name] ?? fallback,
    flag(name) {
      const value = environment[name] ?? 'false';
      if (value !== 'true' && value !== 'false') reject(name, 'must be true or false');
      return value === 'true';
    },
  };
}

function readApple(read: Reader): AppleSettings {
  // A file contains real line breaks; a variable often contains them as `\n`.
  const privateKey = read.required('APPLE_PRIVATE_KEY').replaceAll('\\n', '\n');
  try {
    if (privateKey !== '' && createPrivateKey(privateKey).asymmetricKeyType !== 'ec')
      read.reject('APPLE_PRIVATE_KEY', 'must be the P-256 key that Apple issued');
  } catch {
    read.reject('APPLE_PRIVATE_KEY', 'must be the unchanged .p8 file that Apple issued');
  }
  return {
    kind: 'apple',
    clientId: read.required('APPLE_CLIENT_ID'),
    teamId: read.required('APPLE_TEAM_ID'),
    keyId: read.required('APPLE_KEY_ID'),
    privateKey,
    appId: read.optional('APPLE_APP_ID', ''),
  };
}

function readKnown(kind: (typeof knownProviders)[number]['kind'], read: Reader): ProviderSettings {
  if (kind === 'apple') return readApple(read);
  const prefix = kind.toUpperCase();
  const client = {
    clientId: read.required(`${prefix}_CLIENT_ID`),
    clientSecret: read.required(`${prefix}_CLIENT_SECRET`),
  };
  if (kind !== 'microsoft') return { kind, ...client };
  return {
    kind,
    ...client,
    tenant: read.optional('MICROSOFT_TENANT', 'common'),
    trustEdov: read.flag('MICROSOFT_TRUST_EDOV'),
  };
}

function issuerMistake(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))))
    return 'must be an address that begins with https://';
  return url.search || url.hash || url.pathname.includes('/.well-known/')
    ? 'must be the issuer, without /.well-known/ and the rest of the path'
    : null;
}

const oidcPattern = /^OIDC_([A-Z0-9_]+?)_(?:ISSUER|CLIENT_ID|CLIENT_SECRET|CLIENT_AUTH|NAME|TRUST_EMAIL)$/;
const knownNames: ReadonlySet<string> = new Set(knownProviders.map(({ kind }) => kind));

function readClientAuth(name: string, read: Reader): SecretMethod | undefined {
  const text = read.optional(name, '');
  const method = secretMethods.find((one) => one === text);
  if (text !== '' && method === undefined)
    read.reject(name, `must be ${secretMethods.join(' or ')}, or be left out`);
  return method;
}

function readOidc(part: string, read: Reader): OidcSettings {
  const id = part.toLowerCase().replaceAll('_', '-');
  const prefix = `OIDC_${part}`;
  if (!providerIdSchema.safeParse(id).success || reservedIds.has(id) || knownNames.has(id))
    read.reject(`${prefix}_ISSUER`, `cannot be used: a provider may not be called ${id}`);
  const issuer = read.required(`${prefix}_ISSUER`);
  const mistake = issuer === '' ? null : issuerMistake(issuer);
  if (mistake !== null) read.reject(`${prefix}_ISSUER`, mistake);
  return {
    kind: 'oidc',
    id,
    issuer,
    name: read.optional(`${prefix}_NAME`, part),
    clientId: read.required(`${prefix}_CLIENT_ID`),
    clientSecret: read.required(`${prefix}_CLIENT_SECRET`),
    trustEmail: read.flag(`${prefix}_TRUST_EMAIL`),
    clientAuth: readClientAuth(`${prefix}_CLIENT_AUTH`, read),
  };
}

/** Returns whether a variable configures a provider. */
export const isProviderVariable = (name: string): boolean =>
  oidcPattern.test(name) || knownProviders.some(({ variables }) => variables.includes(name));

/**
 * Reads which providers this server offers, and the mistakes in their variables. A provider without any variables
 * is not offered.
 */
export function readProviders(environment: Environment): {
  providers: ProviderSettings[];
  mistakes: string[];
} {
  const mistakes: string[] = [];
  const read = readerOf(environment, mistakes);
  const known = knownProviders
    .filter(({ variables }) => variables.some((name) => (environment[name] ?? '') !== ''))
    .map(({ kind }) => readKnown(kind, read));
  const parts = new Set(
    Object.keys(environment)
      .filter((name) => (environment[name] ?? '') !== '')
      .flatMap((name) => oidcPattern.exec(name)?.[1] ?? []),
  );
  return { providers: [...known, ...[...parts].sort().map((part) => readOidc(part, read))], mistakes };
}
