import { createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { z } from 'zod';
import { second } from '#base/duration.ts';
import { ProviderError, type ProviderDeps, type ProviderNotice } from './provider.ts';
import { providerTimeoutMs, translated } from './provider-network.ts';

const keysUrl = 'https://appleid.apple.com/auth/keys';
const headerSchema = z.object({ alg: z.enum(['RS256', 'ES256']), kid: z.string() });
const keysSchema = z.object({
  keys: z.array(z.looseObject({ kid: z.string(), kty: z.enum(['RSA', 'EC']) })),
});
const eventSchema = z.object({ type: z.string(), sub: z.string().min(1) });
const claimsSchema = z.object({
  iss: z.string(),
  aud: z.string(),
  exp: z.number(),
  jti: z.string().min(1),
  events: z.union([z.string(), eventSchema]),
});

const eventNames: Record<string, ProviderNotice['event']> = {
  'consent-revoked': 'consent-revoked',
  'account-delete': 'account-deleted',
  'account-deleted': 'account-deleted',
};

const reject = (message: string, cause?: unknown): never => {
  throw new ProviderError('rejected', message, cause);
};

function parsePart<T>(schema: z.ZodType<T>, part: string): T {
  try {
    return schema.parse(JSON.parse(Buffer.from(part, 'base64url').toString('utf8')));
  } catch (cause) {
    return reject('the notice is no token of the kind that is sent', cause);
  }
}

async function keyOf(kid: string, deps: ProviderDeps): Promise<JsonWebKey> {
  const keys = await deps
    .fetch(keysUrl, { signal: AbortSignal.timeout(providerTimeoutMs) })
    .then(async (response) => keysSchema.parse(await response.json()))
    .catch((error: unknown) => {
      throw translated(error, 'unavailable');
    });
  return (
    keys.keys.find((key) => key.kid === kid) ??
    reject('the notice is signed with a key that the provider does not name')
  );
}

function isSigned(
  parts: { content: string; signature: string },
  alg: 'RS256' | 'ES256',
  jwk: JsonWebKey,
): boolean {
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  if (key.asymmetricKeyType !== (alg === 'RS256' ? 'rsa' : 'ec')) return false;
  return verify(
    'sha256',
    Buffer.from(parts.content),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(parts.signature, 'base64url'),
  );
}

type NoticeClaims = z.output<typeof claimsSchema>;

function assertForUs(
  claims: NoticeClaims,
  given: { issuer: string; audiences: string[] },
  nowMs: number,
): void {
  const isForUs = claims.iss === given.issuer && claims.aud !== '' && given.audiences.includes(claims.aud);
  if (!isForUs || claims.exp * second < nowMs) reject('the notice is for another app, or has expired');
}

/** Apple sends the event as JSON in a string. */
const eventOf = ({ events }: NoticeClaims): z.output<typeof eventSchema> =>
  typeof events === 'string' ? parsePart(eventSchema, Buffer.from(events).toString('base64url')) : events;

/**
 * Reads Apple's notice that a user withdrew consent or deleted the Apple account.
 * @throws ProviderError `rejected` for a notice that Apple did not sign for one of `audiences`, or that has
 * expired
 */
export async function readAppleNotice(
  given: { payload: string; issuer: string; audiences: string[] },
  deps: ProviderDeps,
): Promise<ProviderNotice> {
  const [head = '', body = '', signature = ''] = given.payload.split('.');
  const { alg, kid } = parsePart(headerSchema, head);
  if (!isSigned({ content: `${head}.${body}`, signature }, alg, await keyOf(kid, deps)))
    reject('the signature of the notice is wrong');
  const claims = parsePart(claimsSchema, body);
  assertForUs(claims, given, deps.clock.nowMs());
  const { type, sub } = eventOf(claims);
  return { issuer: claims.iss, subject: sub, noticeId: claims.jti, event: eventNames[type] ?? 'other' };
}
