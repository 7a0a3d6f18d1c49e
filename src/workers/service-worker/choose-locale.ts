import { nearestLocale, shippedLocale, type ShippedLocale } from '#contract/locales.ts';

export interface LocaleSources {
  /** `?lang=`, for this view only. */
  query: string | null;
  /** The language chosen before. */
  cookie: string | null;
  /** The browser's languages, most wanted first. */
  languages: readonly string[];
}

/**
 * The language of a page where no server is asked, by the server's own order: the address, the choice made
 * before, the browser's wishes, English.
 */
export function chooseLocale({ query, cookie, languages }: LocaleSources): ShippedLocale {
  return shippedLocale(query ?? '') ?? shippedLocale(cookie ?? '') ?? nearestLocale(languages);
}
