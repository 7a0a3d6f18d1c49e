import { createHmac, randomBytes } from 'node:crypto';
import type { FlowSecrets } from '#server/features/accounts/providers/provider.ts';

/**
 * The state, and what follows from it and the browser's secret name in its cookie (HMAC-SHA-256): PKCE
 * verifier and nonce are stored nowhere, and a copy of the database holds nothing that could end a sign-in in
 * a browser's place.
 */
export function flowSecretsOf(browser: string, state: string): FlowSecrets {
  const derived = (use: string): string =>
    createHmac('sha256', browser).update(`provider ${use} ${state}`).digest('base64url');
  return { state, nonce: derived('nonce'), codeVerifier: derived('pkce') };
}

/** 256 random bits, after a letter by which the callback page knows whether it is a pop-up. */
export const newState = (display: 'popup' | 'redirect'): string =>
  `${display === 'popup' ? 'p' : 'r'}${randomBytes(32).toString('base64url')}`;

export const isState = (text: string | undefined): text is string =>
  text !== undefined && /^[pr][\w-]{43}$/.test(text);
