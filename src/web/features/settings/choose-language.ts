import { shippedLocale, type LocaleTag } from '#contract/locales.ts';
import { call } from '#web/api/call.ts';
import { session } from '#web/api/session.ts';
import { switchLanguage } from '#web/i18n/switch-language.ts';

/**
 * The language a person picked: shown at once, kept on this device and, signed in, in the account.
 * @throws ApiError when the account could not be told; the language is shown all the same.
 */
export async function chooseLanguage(tag: LocaleTag): Promise<void> {
  const isShown = await switchLanguage(tag);
  const { user } = session.getSnapshot();
  if (!isShown || !user || user.locale === tag) return;
  session.updateUser(await call('changeProfile', { body: { locale: tag } }));
}

/** Shows the language kept in the account whenever somebody signs in, on whatever device; gives back what stops it. */
export function followAccountLanguage(): () => void {
  let followed: string | null = null;
  const follow = () => {
    const { user } = session.getSnapshot();
    if (user?.id === followed) return;
    followed = user?.id ?? null;
    const kept = user?.locale ? shippedLocale(user.locale) : null;
    if (kept && kept.tag !== document.documentElement.lang) void switchLanguage(kept.tag);
  };
  follow();
  return session.subscribe(follow);
}
