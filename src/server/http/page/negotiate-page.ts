import { match } from '@formatjs/intl-localematcher';
import { locales, type ShippedLocale, shippedLocale, sourceLocale } from '#contract/locales.ts';

export interface PageWishes {
  /** `?lang=`, for this view only. */
  query: string | undefined;
  /** The language chosen before. */
  cookie: string | undefined;
  /** Accept-Language, RFC 9110 §12.5.4. */
  acceptLanguage: string | undefined;
}

function requested(acceptLanguage: string): string[] {
  return acceptLanguage.split(',').map((part) => {
    const [tag = '', ...parameters] = part.trim().split(';');
    const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find((value) => value !== undefined);
    return { tag: tag.trim(), quality: Number(quality ?? 1) };
  }).filter(({ tag, quality }) => tag !== '' && tag !== '*' && quality > 0).sort((a, b) => b.quality - a.quality).map(({ tag }) => tag);
}

function byHeader(acceptLanguage: string | undefined): ShippedLocale {
  try {
    const tag = match(requested((acceptLanguage ?? '').slice(0, 500)), locales.map((locale) => locale.tag), sourceLocale.tag);
    return shippedLocale(tag) ?? sourceLocale;
  } catch {
    // A header may hold any text; the matcher throws on tags that are none.
    return sourceLocale;
  }
}

/** The language of a page: asked for by address, else chosen before, else the best the browser accepts, else English. */
export function negotiateLocale({ query, cookie, acceptLanguage }: PageWishes): ShippedLocale {
  return shippedLocale(query ?? '') ?? shippedLocale(cookie ?? '') ?? byHeader(acceptLanguage);
}
