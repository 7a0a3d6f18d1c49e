import type { BrowserContext } from '@playwright/test';

/**
 * The cookies of a browser for an address, as a request carries them: for what a test asks the server itself.
 */
export async function cookieHeader(context: BrowserContext, url: string): Promise<string> {
  return (await context.cookies(url)).map(({ name, value }) => `${name}=${value}`).join('; ');
}
