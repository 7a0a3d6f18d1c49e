import type { Messages } from '@lingui/core';

const files = import.meta.glob<{ messages: Messages }>('../../../locales/*.po');

/** Fetches the messages of one language. */
export async function loadMessages(tag: string): Promise<Messages> {
  const load = files[`../../../locales/${tag}.po`];
  if (!load) throw new TypeError(`no catalogue for ${tag}`);
  return (await load()).messages;
}
