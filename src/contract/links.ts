/**
 * Pages that mails and handed-over links lead to. The token stands in the fragment,
 * `/reset-password#<token>`: it reaches no log and no referrer.
 */
export const linkPaths = { resetPassword: '/reset-password', undoEmailChange: '/undo-email-change' } as const;

/** The shape of a link’s token: 256 random bits in base64url. */
export const linkToken = /^[\w-]{43}$/;

/**
 * Leads out of the service worker, past whatever wants a sign-in in front of the server, and back to the page
 * named by `to`.
 */
export const returnAddress = '/auth/return';

export const returnUrlOf = (to: string): string => `${returnAddress}?to=${encodeURIComponent(to)}`;
