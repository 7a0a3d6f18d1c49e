import { i18n, type Messages } from '@lingui/core';

const files = import.meta.glob<{ messages: Messages }>('../../../locales/*.po');

/** Loads one catalogue and makes it the current one. */
export async function loadCatalogue(locale: string): Promise<void> {
  const load = files[`../../../locales/${locale}.po`];
  if (!load) throw new TypeError(`no catalogue for ${locale}`);
  const { messages } = await load();
  i18n.loadAndActivate({ locale, messages });
}
