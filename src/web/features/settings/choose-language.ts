import { shippedLocale, type LocaleTag } from '#contract/locales.ts';
import { call } from '#web/api/call.ts';
import { session } from '#web/api/session.ts';
import { adoptLanguage, switchLanguage } from '#web/i18n/switch-language.ts';

/**
 * Choices on their way to the account: until the last has arrived, what the account says of its language is
 * already old.
 */
let choicesUnderWay = 0;
let lastChoice = Promise.resolve();

/** Tells the account one choice after the other, so that the last one made is the one that stays. */
function saveToAccount(tag: LocaleTag): Promise<void> {
  choicesUnderWay += 1;
  const saved = lastChoice.then(async () => {
    try {
      const user = await call('changeProfile', { body: { locale: tag } });
      if (choicesUnderWay === 1) session.updateUser(user);
    } finally {
      choicesUnderWay -= 1;
    }
  });
  lastChoice = saved.catch(() => undefined);
  return saved;
}

/**
 * The language a person picked: shown at once, kept on this device and, signed in, in the account.
 * @throws ApiError when the account could not be told; the language is shown all the same.
 */
export async function chooseLanguage(tag: LocaleTag): Promise<void> {
  const isShown = await switchLanguage(tag);
  const { user } = session.getSnapshot();
  if (!isShown || !user || (user.locale === tag && choicesUnderWay === 0)) return;
  await saveToAccount(tag);
}

/**
 * Shows the language kept in the account whenever somebody signs in, and when it is chosen again on another
 * device; gives back what stops it. A page whose address asks for a language (`?lang=`) keeps that one.
 */
export function followAccountLanguage(): () => void {
  if (shippedLocale(new URLSearchParams(location.search).get('lang') ?? '')) return () => undefined;
  let followed: string | null = null;
  const follow = () => {
    const { user } = session.getSnapshot();
    const now = user && `${user.id} ${user.locale}`;
    if (now === followed || choicesUnderWay > 0) return;
    followed = now;
    const saved = user?.locale ? shippedLocale(user.locale) : null;
    if (saved && saved.tag !== document.documentElement.lang) void adoptLanguage(saved.tag);
  };
  follow();
  return session.subscribe(follow);
}
