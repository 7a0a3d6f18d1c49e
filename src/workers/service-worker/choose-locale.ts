import { nearestLocale, shippedLocale, type ShippedLocale } from '#contract/locales.ts';

export interface LocaleSources {
  /** `?lang=`, for this view only. */
  query: string | null;
  /** The previously chosen language. */
  cookie: string | null;
  /** The browser's languages, most preferred first. */
  languages: readonly string[];
}

/**
 * The language of a page that is rendered without the server, in the server's order: URL, earlier choice, browser
 * preferences, English.
 */
export function chooseLocale({ query, cookie, languages }: LocaleSources): ShippedLocale {
  return shippedLocale(query ?? '') ?? shippedLocale(cookie ?? '') ?? nearestLocale(languages);
}
