/**
 * Calls below `/auth/` that show or change the account of somebody who is signed in: they wait for a sign-in
 * like any other.
 */
const ofTheAccount =
  /^\/auth\/(?:identities|unlink|sessions|account|email|password|totp|recovery-codes|passkeys)(?:\/|$)/;
/** Below the same words, but for people who are not signed in. */
const ofNobody = /^\/auth\/(?:password\/(?:forgot|reset)|email\/undo|passkeys\/(?:sign-in|sign-up))/;

/**
 * Whether a call signs somebody in or out, or only asks who is there: never held, and sent without an
 * expected principal.
 */
export function isAuthCall(url: string): boolean {
  // Only the path matters; the base makes a relative address readable.
  const { pathname } = new URL(url, 'http://here');
  return pathname.startsWith('/auth/') && (!ofTheAccount.test(pathname) || ofNobody.test(pathname));
}
