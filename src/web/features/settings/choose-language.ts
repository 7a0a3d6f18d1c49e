import { shippedLocale, type LocaleTag } from '#contract/locales.ts';
import { firstCall } from '#web/api/first-call.ts';
import { session } from '#web/api/session.ts';
import { adoptLanguage, switchLanguage } from '#web/i18n/switch-language.ts';

/**
 * The number of choices being saved. Until the last is saved, the language that the account reports is out of
 * date.
 */
let choicesUnderWay = 0;
let lastChoice = Promise.resolve();

/** Saves choices one after another, so that the last one wins. */
function saveToAccount(tag: LocaleTag): Promise<void> {
  choicesUnderWay += 1;
  const saved = lastChoice.then(async () => {
    try {
      const user = await firstCall('changeProfile', { body: { locale: tag } });
      if (choicesUnderWay === 1) session.updateUser(user);
    } finally {
      choicesUnderWay -= 1;
    }
  });
  lastChoice = saved.catch(() => undefined);
  return saved;
}

/**
 * Shows the chosen language at once, stores it on this device and, if signed in, in the account.
 * @throws ApiError if it could not be saved in the account; the language is shown all the same
 */
export async function chooseLanguage(tag: LocaleTag): Promise<void> {
  const isShown = await switchLanguage(tag);
  const { user } = session.getSnapshot();
  if (!isShown || !user || (user.locale === tag && choicesUnderWay === 0)) return;
  await saveToAccount(tag);
}

/**
 * Shows the account's language after a sign-in, and when it is changed on another device. A page whose URL has a
 * language (`?lang=`) keeps that one.
 * @returns stops that
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
