import { z } from 'zod';
import { secondFactorWantedSchema, sessionSchema, userSchema } from './accounts-api.ts';
import { endpoint } from './endpoint.ts';
import { idSchema, instantSchema, languageTagSchema, setUpCodeSchema } from './values.ts';

/** Used in the paths of its endpoints and in its redirect URI. */
export const providerIdSchema = z.string().regex(/^[a-z][a-z0-9-]{1,31}$/, { error: 'provider-id' });
const providerParams = { provider: providerIdSchema };

/** Selects the provider's icon; `oidc` is any OpenID Connect issuer, shown by name only. */
const providerKindSchema = z.enum([
  'oidc',
  'google',
  'microsoft',
  'apple',
  'linkedin',
  'github',
  'facebook',
  'discord',
]);
export type ProviderKind = z.output<typeof providerKindSchema>;

const providerSchema = z.object({ id: providerIdSchema, name: z.string(), kind: providerKindSchema });
export type Provider = z.output<typeof providerSchema>;

/** Requested when a sign-in surface opens, not at first paint, so `GET /auth/session` does not include it. */
export const listProviders = endpoint('listProviders', {
  access: 'anyone',
  summary: 'The providers for signing in, in display order.',
  reply: z.object({ providers: z.array(providerSchema) }),
  statuses: [200],
  errors: [],
});

const providerIntentSchema = z.enum(['sign-in', 'link', 'reauthenticate']);
export type ProviderIntent = z.output<typeof providerIntentSchema>;

/** The provider's response, as the browser forwards it (`ProviderAnswer`). */
const answerFields = {
  code: z.string().min(1).max(8192).optional(),
  state: z.string().max(512).optional(),
  iss: z.string().max(2048).optional(),
  error: z.string().min(1).max(256).optional(),
  error_description: z.string().max(2048).optional(),
  user: z.string().max(4096).optional(),
};

/**
 * One endpoint for two phases. Without `code`, `error` and `state` it starts a flow: open `authorizationUrl` in a
 * pop-up or navigate to it. With the provider's response (`ProviderAnswer`) it completes the flow. `clientId` and
 * `redirectUri` are sent by older clients and ignored.
 */
const providerCallSchema = z.strictObject({
  intent: providerIntentSchema.optional(),
  display: z.enum(['popup', 'redirect']).optional(),
  /** A path on this server to return to; anything else becomes `/`. */
  returnTo: z.string().max(2048).optional(),
  /** False on a shared computer. */
  remember: z.boolean().optional(),
  /** The interface language for a new account. */
  locale: languageTagSchema.optional(),
  /** For the first account of a publicly reachable installation; sent at the start of the flow. */
  setUpCode: setUpCodeSchema.optional(),
  ...answerFields,
  clientId: z.string().max(2048).optional(),
  redirectUri: z.string().max(2048).optional(),
});

/** Phase one. `flow` equals the `state` of the response, so that a page recognises its own response. */
const providerFlowSchema = z.object({
  authorizationUrl: z.string(),
  flow: z.string(),
  expiresAt: instantSchema,
});
export type ProviderFlow = z.output<typeof providerFlowSchema>;

/** Phase two, completed. The session is a new one for every intent. */
const providerSignedInSchema = z.object({
  user: userSchema,
  session: sessionSchema,
  intent: providerIntentSchema,
  /** True if a new account was created. */
  created: z.boolean(),
  /** True if the provider's account was linked to the user's; false if it was already linked. */
  linked: z.boolean(),
  /** True if the user's name was generated here because the provider has none; the page may ask for one. */
  needsName: z.boolean(),
  returnTo: z.string(),
});
export type ProviderSignedIn = z.output<typeof providerSignedInSchema>;

/** Phase two for an account with a second factor: no session yet; continue with `logInMfa`. */
const providerSecondFactorSchema = secondFactorWantedSchema.extend({ returnTo: z.string() });
export type ProviderSecondFactor = z.output<typeof providerSecondFactorSchema>;

export const signInWithProvider = endpoint('signInWithProvider', {
  access: 'anyone',
  params: providerParams,
  summary:
    'Sign in with a provider, link its account, or authenticate again: start the flow, or complete it with the provider’s response.',
  body: providerCallSchema,
  reply: z.union([providerFlowSchema, providerSignedInSchema, providerSecondFactorSchema]),
  statuses: [200],
  errors: [
    'provider-unknown',
    'provider-unavailable',
    'provider-slow',
    'provider-misconfigured',
    'provider-other-address',
    'session-required',
    'session-expired',
    'principal-changed',
    'reauthentication-required',
    'oauth-state-mismatch',
    'oauth-denied',
    'oauth-flow-expired',
    'oauth-exchange-failed',
    'oauth-clock-wrong',
    'account-exists',
    'identity-linked-elsewhere',
    'link-not-found',
    'second-factor-required',
    'provider-not-enough',
    'account-disabled',
    'sign-up-closed',
    'set-up-code-invalid',
    'rate-limited',
  ],
});

export const unlinkProvider = endpoint('unlinkProvider', {
  access: 'session',
  summary:
    'Unlink a provider’s account from the user’s; `accountId` is required if several of one provider are linked.',
  body: z.strictObject({ provider: z.string().max(64), accountId: idSchema.optional() }),
  reply: z.object({ user: userSchema }),
  statuses: [200],
  errors: ['provider-invalid', 'link-not-found', 'last-credential', 'reauthentication-required'],
});

const identitySchema = z.object({
  id: idSchema,
  provider: z.string(),
  providerName: z.string(),
  kind: providerKindSchema.nullable(),
  /** The name or user name at the provider when it was last used. */
  label: z.string().nullable(),
  email: z.string().nullable(),
  linkedAt: instantSchema,
  lastUsedAt: instantSchema,
  /** False if this server no longer offers the provider, so that it cannot be used to sign in. */
  isUsable: z.boolean(),
});
export type Identity = z.output<typeof identitySchema>;

export const listIdentities = endpoint('listIdentities', {
  access: 'session',
  summary: 'The provider accounts that are linked to the user’s.',
  reply: z.object({ identities: z.array(identitySchema) }),
  statuses: [200],
  errors: [],
});

/** Called by Apple when a user withdraws consent or deletes the Apple account. */
export const receiveProviderNotice = endpoint('receiveProviderNotice', {
  access: 'anyone',
  params: providerParams,
  summary:
    'A provider’s signed notice about one of its accounts; rejects a bad signature or a repeated notice.',
  body: z.strictObject({ payload: z.string().min(1).max(16_384) }),
  statuses: [200],
  errors: [
    'provider-unknown',
    'provider-unavailable',
    'provider-slow',
    'provider-misconfigured',
    'malformed-request',
    'rate-limited',
  ],
});

const configuredProviderSchema = providerSchema.extend({
  issuer: z.string(),
  clientId: z.string(),
  /** The exact redirect URI to enter at the provider. */
  redirectUri: z.string(),
});
const availableProviderSchema = z.object({
  kind: providerKindSchema,
  name: z.string(),
  variables: z.array(z.string()),
  redirectUri: z.string(),
});

export const listProviderSettings = endpoint('listProviderSettings', {
  access: 'session',
  summary: 'For admins: the configured providers, and the others with the variables that configure them.',
  reply: z.object({
    configured: z.array(configuredProviderSchema),
    available: z.array(availableProviderSchema),
  }),
  statuses: [200],
  errors: ['forbidden'],
});

const providerCheckSchema = z.object({
  /**
   * `reach`: the provider responds, over TLS that this server trusts; `issuer`: its issuer is the expected one;
   * `clock`: its clock matches ours within a minute; `endpoints`: its metadata has all endpoints; `signing`: it
   * signs ID tokens in a verifiable way; `flow`: it supports the code flow, PKCE and the used response mode;
   * `scopes`: it supports the requested scopes; `keys`: its key set has a usable key; `client`: it accepts our
   * client id and secret; `redirect`: it accepts our redirect URI, as far as that can be checked without a user.
   */
  check: z.enum([
    'reach',
    'issuer',
    'clock',
    'endpoints',
    'signing',
    'flow',
    'scopes',
    'keys',
    'client',
    'redirect',
  ]),
  outcome: z.enum(['ok', 'failed', 'unknown']),
  /** Details from the provider or the network for the admin; never a secret. */
  detail: z.string().nullable(),
});
export type ProviderCheck = z.output<typeof providerCheckSchema>;

const signInNeedSchema = z.object({
  /**
   * `signature`: the algorithm that signs the ID token; `audience`: the clients that the ID token is for; `claims`:
   * what the provider says about the user.
   */
  need: z.enum(['signature', 'audience', 'claims']),
  /** What a sign-in accepts or uses. */
  wanted: z.string(),
  /** What the discovery document announces, which a single client may deviate from; null if it says nothing. */
  announced: z.string().nullable(),
});
export type SignInNeed = z.output<typeof signInNeedSchema>;

export const testProvider = endpoint('testProvider', {
  access: 'session',
  params: providerParams,
  summary:
    'For admins: check everything about a provider that can be checked without a user, and report problems.',
  reply: z.object({
    checks: z.array(providerCheckSchema),
    /** What a sign-in needs and only a sign-in shows. Empty if the provider can't be reached. */
    onlyAtSignIn: z.array(signInNeedSchema),
  }),
  statuses: [200],
  errors: ['forbidden', 'provider-unknown', 'rate-limited'],
});

export const startTestSignIn = endpoint('startTestSignIn', {
  access: 'session',
  params: providerParams,
  summary:
    'For admins: start a test sign-in, which signs nobody in. Open `authorizationUrl` in another window.',
  reply: providerFlowSchema,
  statuses: [200],
  errors: [
    'forbidden',
    'provider-unknown',
    'provider-unavailable',
    'provider-slow',
    'provider-misconfigured',
    'provider-other-address',
    'rate-limited',
  ],
});

const testedClaimSchema = z.object({
  /** The name of the claim; `alg` is from the header of the ID token. */
  claim: z.string(),
  /**
   * The value, as text for claims that are texts, otherwise as JSON, and shortened. Null if it was absent. Subjects
   * are masked.
   */
  idToken: z.string().nullable(),
  userInfo: z.string().nullable(),
});
export type TestedClaim = z.output<typeof testedClaimSchema>;

const testedAccountSchema = z.object({ displayName: z.string(), email: z.string().nullable() });

const testOutcomeSchema = z.discriminatedUnion('result', [
  z.object({
    result: z.literal('signs-in'),
    account: testedAccountSchema,
    /** Whether the user would have to enter a second factor next. */
    needsSecondFactor: z.boolean(),
  }),
  z.object({
    result: z.literal('creates'),
    account: testedAccountSchema,
    /** Whether the provider reports no name, so that the name is a placeholder. */
    needsName: z.boolean(),
  }),
  z.object({
    result: z.literal('refused'),
    /** The error that the user would get. */
    code: z.string(),
    /** What the administrator can act on; never a secret. */
    detail: z.string().nullable(),
  }),
]);

const testSignInResultSchema = z.object({
  outcome: testOutcomeSchema,
  /** The claims that matter to a sign-in, in the ID token and at UserInfo. */
  claims: z.array(testedClaimSchema),
  /** The names of all other claims. */
  otherClaims: z.array(z.string()),
  /** The issue time of the ID token relative to this server's clock, in milliseconds; null without an ID token. */
  clockDifferenceMs: z.number().int().nullable(),
  /** The HTTP status of UserInfo; null if it was not requested or did not answer. */
  userInfoStatus: z.number().int().nullable(),
  /** What this server read from the response; null if it refused the response. */
  profile: z
    .object({
      issuer: z.string(),
      /** Masked. */
      subject: z.string(),
      name: z.string().nullable(),
      email: z.string().nullable(),
      isEmailVerified: z.boolean(),
    })
    .nullable(),
  /** Why the provider did not report everything; null if it did. */
  warning: z.string().nullable(),
});
export type TestSignInResult = z.output<typeof testSignInResultSchema>;

export const finishTestSignIn = endpoint('finishTestSignIn', {
  access: 'session',
  params: providerParams,
  summary:
    'For admins: finish a test sign-in with the provider’s response, in the session that started it. Reports what the provider said and what a sign-in would do, and changes nothing.',
  body: z.strictObject(answerFields),
  reply: testSignInResultSchema,
  statuses: [200],
  errors: [
    'forbidden',
    'provider-unknown',
    'principal-changed',
    'oauth-state-mismatch',
    'oauth-flow-expired',
    'rate-limited',
  ],
});
