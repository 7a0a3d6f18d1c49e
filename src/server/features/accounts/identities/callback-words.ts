import type { I18n } from '@lingui/core';

/** What the callback page says. It is seen for a moment, before any of the app is loaded. */
export const callbackWords = (i18n: I18n) => ({
  title: i18n._('Signing in to Earshot…'),
  wait: i18n._('One moment…'),
  done: i18n._('You’re signed in. You can close this window.'),
  script: i18n._('Signing in needs JavaScript. Turn it on for this site and try again.'),
});
