import { nearestLocale, type ShippedLocale, shippedLocale } from '#contract/locales.ts';

export interface PageLocaleSources {
  /** `?lang=`, for this view only. */
  query: string | undefined;
  /** The previously chosen language. */
  cookie: string | undefined;
  /** Accept-Language, RFC 9110 §12.5.4. */
  acceptLanguage: string | undefined;
}

const maxHeaderLength = 500;

/**
 * Parses a content negotiation header (RFC 9110 §12.5), most preferred first. Rejected values (q=0) and unreadable
 * ones are left out.
 */
export function requested(header: string): string[] {
  return header
    .slice(0, maxHeaderLength)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(';');
      const quality = parameters
        .map((parameter) => /^\s*q=([\d.]+)\s*$/i.exec(parameter)?.[1])
        .find((value) => value !== undefined);
      return { tag: tag.trim(), quality: Number(quality ?? 1) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
}

/**
 * Returns the language of a page: from the query, else chosen before, else the best one the browser accepts, else
 * English.
 */
export function negotiateLocale({ query, cookie, acceptLanguage }: PageLocaleSources): ShippedLocale {
  return (
    shippedLocale(query ?? '') ??
    shippedLocale(cookie ?? '') ??
    nearestLocale(requested(acceptLanguage ?? ''))
  );
}
