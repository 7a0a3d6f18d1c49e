import type { BrowserContext } from '@playwright/test';

/** A browser's cookies for a URL as a `Cookie` header, for requests that the test itself sends. */
export async function cookieHeader(context: BrowserContext, url: string): Promise<string> {
  return (await context.cookies(url)).map(({ name, value }) => `${name}=${value}`).join('; ');
}
