import { codePointLength } from '#base/text.ts';
import { limits } from '#contract/limits.ts';
import { displayNameSchema } from '#contract/values.ts';
import { serverI18n } from '#server/i18n/server-i18n.ts';
import type { ProviderProfile } from '#server/features/accounts/providers/provider.ts';

/** The display name that earlier versions gave a user for whom the provider reported no name. */
const nothing = '–';

/**
 * Returns the text as a valid display name, or null, for example if it consists of spaces or invisible characters.
 */
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
 * Derives a display name from the provider's profile: the name, the user name, or the local part of the email
 * address. Returns null if the profile has none of them.
 */
export function nameOfProfile({ name, label, provenEmail, email }: ProviderProfile): string | null {
  return (
    [name, label, provenEmail?.split('@')[0], email?.split('@')[0]]
      .map(asName)
      .find((candidate) => candidate !== null && candidate !== nothing) ?? null
  );
}

/**
 * The display name of a user for whom the provider reports no name, in the language of the page. The user can
 * change it.
 */
export function placeholderName(provider: string, locale: string | null): string {
  const i18n = serverI18n(locale);
  return asName(i18n._('{provider} user', { provider })) ?? provider;
}

/** Whether a display name is a placeholder, which a name from the provider may replace. */
export const isPlaceholderName = (
  displayName: string,
  providerName: string,
  locale: string | null,
): boolean => displayName === nothing || displayName === placeholderName(providerName, locale);
