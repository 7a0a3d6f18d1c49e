import { z } from 'zod';
import { second } from '#base/duration.ts';
import type { TestedClaim } from '#contract/providers-api.ts';
import type { CodeExchange, ProviderDeps } from './provider.ts';

type Values = Record<string, unknown>;

/** Claims whose values an administrator needs to see, in display order (OpenID Connect Core §2 and §5.1). */
const shownClaims = [
  'iss',
  'aud',
  'azp',
  'sub',
  'iat',
  'nbf',
  'exp',
  'auth_time',
  'tid',
  'oid',
  'name',
  'given_name',
  'family_name',
  'nickname',
  'preferred_username',
  'email',
  'email_verified',
  'xms_edov',
] as const;

/** These identify the user at the provider. A picture of the result must not. */
const maskedClaims: ReadonlySet<string> = new Set(['sub', 'oid']);
/** A text in place of these is a fault that quotes make visible. */
const claimsOfOtherTypes: ReadonlySet<string> = new Set([
  'iat',
  'nbf',
  'exp',
  'auth_time',
  'email_verified',
  'xms_edov',
]);

const valueLength = 300;
const nameLength = 64;
const maxOtherClaims = 50;
const minSecretLength = 4;

/** The first and the last two characters of an identifier; of a short one only the first. */
export const masked = (identifier: string): string =>
  identifier.length > 6 ? `${identifier.slice(0, 2)}…${identifier.slice(-2)}` : `${identifier.slice(0, 1)}…`;

const shortened = (text: string): string =>
  text.length > valueLength ? `${text.slice(0, valueLength - 1)}…` : text;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The text of a claim. Secrets are removed before it is shortened, because a part of one is secret too. */
function shown(claim: string, value: unknown, redact: (text: string) => string): string | null {
  if (value === undefined) return null;
  if (maskedClaims.has(claim)) {
    const mask = masked(redact(textOf(value)));
    return typeof value === 'string' ? mask : `${mask} (${typeof value})`;
  }
  return shortened(redact(claimsOfOtherTypes.has(claim) ? JSON.stringify(value) : textOf(value)));
}

const valuesSchema = z.record(z.string(), z.unknown());

function parsed(text: string): Values | null {
  try {
    return valuesSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** A part of a JWS (RFC 7515 §7.1), not verified. */
const jwsPart = (token: string, part: 0 | 1): Values | null =>
  parsed(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString('utf8'));

const discoverySchema = z.looseObject({ userinfo_endpoint: z.string() });

/** What a provider said, without anything that could be used as its tokens could. */
interface ObservedSignIn {
  claims: TestedClaim[];
  otherClaims: string[];
  clockDifferenceMs: number | null;
  userInfoStatus: number | null;
}

/** Reads along while an adapter redeems a code. It changes neither the requests nor the responses. */
export interface SignInObserver {
  fetch: ProviderDeps['fetch'];
  /** Names secrets of the flow, which `redact` then removes. */
  addSecrets(exchange: CodeExchange): void;
  /** Removes codes, tokens and client secrets from a text. Providers quote them in their error descriptions. */
  readonly redact: (text: string) => string;
  observed(): ObservedSignIn;
}

const formOf = (init: RequestInit | undefined): URLSearchParams | null =>
  init?.method === 'POST' && (typeof init.body === 'string' || init.body instanceof URLSearchParams)
    ? new URLSearchParams(init.body)
    : null;

const pathOf = (url: string): string => URL.parse(url)?.pathname ?? '';
const hrefOf = (url: string): string | null => URL.parse(url)?.href ?? null;

/** The secrets of a token request: the client's and the flow's (RFC 6749 §2.3.1, RFC 7523 §2.2). */
function secretsOfRequest(form: URLSearchParams, init: RequestInit | undefined): string[] {
  const [, credentials = ''] = (new Headers(init?.headers).get('authorization') ?? '').split(' ');
  const [, encodedSecret = ''] = Buffer.from(credentials, 'base64').toString('utf8').split(':');
  return [
    ...['code', 'code_verifier', 'client_secret', 'client_assertion'].map((name) => form.get(name) ?? ''),
    credentials,
    encodedSecret,
    new URLSearchParams(`secret=${encodedSecret}`).get('secret') ?? '',
  ];
}

/** The issue time relative to the clock; null for anything that is no believable time. */
function differenceOf(issuedAt: unknown, receivedAtMs: number): number | null {
  const differenceMs =
    typeof issuedAt === 'number' ? Math.round(issuedAt * second) - receivedAtMs : Number.NaN;
  return Number.isSafeInteger(differenceMs) ? differenceMs : null;
}

/** Observes one sign-in. */
export function observeSignIn({ fetch, clock }: ProviderDeps): SignInObserver {
  const secrets = new Set<string>();
  let userInfoUrl: string | null = null;
  let header: Values | null = null;
  let idToken: Values | null = null;
  let receivedAtMs = 0;
  let userInfo: Values | null = null;
  let userInfoStatus: number | null = null;

  const addSecret = (secret: string): void => {
    if (secret.length >= minSecretLength) secrets.add(secret).add(encodeURIComponent(secret));
  };
  const redact = (text: string): string =>
    [...secrets]
      .sort((a, b) => b.length - a.length)
      .reduce((rest, secret) => rest.replaceAll(secret, '…'), text);

  const readTokens = (text: string): void => {
    const tokens = parsed(text) ?? {};
    for (const [name, value] of Object.entries(tokens))
      if (typeof value === 'string' && /(^|_)token$/.test(name)) addSecret(value);
    const token = tokens['id_token'];
    if (typeof token !== 'string') return;
    receivedAtMs = clock.nowMs();
    for (const part of token.split('.')) addSecret(part);
    header = jwsPart(token, 0);
    idToken = jwsPart(token, 1);
  };
  const readUserInfo = (response: Response, text: string): void => {
    userInfoStatus = response.status;
    if (!response.ok) return;
    userInfo =
      response.headers.get('content-type')?.startsWith('application/jwt') === true
        ? jwsPart(text, 1)
        : parsed(text);
  };

  const cell = (claim: string, values: Values | null): string | null => shown(claim, values?.[claim], redact);

  return {
    async fetch(url, init) {
      const form = formOf(init);
      const isTokenRequest = form?.get('grant_type') === 'authorization_code';
      if (form && isTokenRequest) for (const secret of secretsOfRequest(form, init)) addSecret(secret);
      const response = await fetch(url, init);
      if (isTokenRequest) readTokens(await response.clone().text());
      else if (userInfoUrl !== null && hrefOf(url) === userInfoUrl)
        readUserInfo(response, await response.clone().text());
      else if (pathOf(url).endsWith('/.well-known/openid-configuration'))
        userInfoUrl = hrefOf(
          discoverySchema.safeParse(parsed(await response.clone().text())).data?.userinfo_endpoint ?? '',
        );
      return response;
    },
    addSecrets({ code, state, nonce, codeVerifier }) {
      for (const secret of [code, state, nonce, codeVerifier]) addSecret(secret);
    },
    redact,
    observed() {
      const names = new Set([...Object.keys(idToken ?? {}), ...Object.keys(userInfo ?? {})]);
      const algorithm = cell('alg', header);
      return {
        claims: [
          ...(algorithm === null ? [] : [{ claim: 'alg', idToken: algorithm, userInfo: null }]),
          ...shownClaims
            .filter((claim) => names.has(claim))
            .map((claim) => ({ claim, idToken: cell(claim, idToken), userInfo: cell(claim, userInfo) })),
        ],
        otherClaims: [...names]
          .filter((name) => !(shownClaims as readonly string[]).includes(name))
          .slice(0, maxOtherClaims)
          .map((name) => redact(name).slice(0, nameLength)),
        clockDifferenceMs: differenceOf(idToken?.['iat'], receivedAtMs),
        userInfoStatus,
      };
    },
  };
}
