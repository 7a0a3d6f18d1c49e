/**
 * Pages opened by links in emails or from administrators. The token is in the fragment, `/reset-password#<token>`,
 * so that it reaches no log and no referrer.
 */
export const linkPaths = { resetPassword: '/reset-password', undoEmailChange: '/undo-email-change' } as const;

/** The pattern of a link’s token: 256 random bits in base64url. */
export const linkToken = /^[\w-]{43}$/;

/**
 * A URL that bypasses the service worker, passes any sign-in in front of the server, and returns to the page in
 * `to`.
 */
export const returnAddress = '/auth/return';

export const returnUrlOf = (to: string): string => `${returnAddress}?to=${encodeURIComponent(to)}`;
