import { codePointLength } from '#base/text.ts';
import { limits } from '#contract/limits.ts';
import { displayNameSchema } from '#contract/values.ts';
import { serverI18n } from '#server/i18n/server-i18n.ts';
import type { ProviderProfile } from '#server/features/accounts/providers/provider.ts';

/** The display name that earlier versions gave a user of whom the provider said nothing. */
const nothing = '–';

/** A text as a name; null where it is none, such as one of spaces or invisible characters alone. */
function asName(text: string | null | undefined): string | null {
  const parsed = displayNameSchema.safeParse(
    Array.from(text ?? '')
      .slice(0, limits.displayNameLength)
      .join(''),
  );
  return parsed.success && codePointLength(parsed.data) > 0 && /[\p{L}\p{N}\p{S}\p{P}]/u.test(parsed.data)
    ? parsed.data
    : null;
}

/**
 * A user's name by the provider's profile: the name, the user name, or the part of the address before the @;
 * null where there is none.
 */
export function nameOfProfile({ name, label, provenEmail, email }: ProviderProfile): string | null {
  return (
    [name, label, provenEmail?.split('@')[0], email?.split('@')[0]]
      .map(asName)
      .find((candidate) => candidate !== null && candidate !== nothing) ?? null
  );
}

/**
 * The display name of a user of whom the provider says nothing, in the language of the user's page. It can
 * be changed like every name.
 */
export function placeholderName(provider: string, locale: string | null): string {
  const i18n = serverI18n(locale);
  return asName(i18n._('{provider} user', { provider })) ?? provider;
}

/** Whether a name was made here and not given: the provider may know a better one meanwhile. */
export const isPlaceholderName = (
  displayName: string,
  providerName: string,
  locale: string | null,
): boolean => displayName === nothing || displayName === placeholderName(providerName, locale);
