import type { Configuration } from 'openid-client';
import { issuerMismatch } from './lasting-faults.ts';

type Discovery = (issuer: URL) => Promise<Configuration>;

/** An address without the slash at its end, for comparing two that may differ by it. */
export const withoutSlash = (address: string): string =>
  (URL.parse(address)?.href ?? address).replace(/\/$/, '');

/**
 * Discovers an issuer. One that writes itself with a slash more or less at the end than the operator did is
 * discovered once more under its own writing, which is then what its answers and tokens are held to. Any
 * other difference is refused (OpenID Connect Discovery §4.3).
 */
export async function discoverIssuer(configured: string, discover: Discovery): Promise<Configuration> {
  try {
    return await discover(new URL(configured));
  } catch (error) {
    const found = issuerMismatch(error)?.found;
    if (found === undefined || withoutSlash(found) !== withoutSlash(configured)) throw error;
    return discover(new URL(found));
  }
}
