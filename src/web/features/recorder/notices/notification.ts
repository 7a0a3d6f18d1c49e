import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { serviceWorkers } from '#device/site-data/service-workers.ts';
import { audioPreferences } from '#web/features/recorder/audio-preferences.ts';

const hasNotifications = (): boolean => 'Notification' in globalThis;

/** Whether this browser supports notifications from pages. Browsers on phones often don't. */
export const canNotify = hasNotifications;

/**
 * Requests permission for notifications. Must be called during a press.
 * @returns whether the permission was granted
 */
export async function requestNotifications(): Promise<boolean> {
  return hasNotifications() && (await Notification.requestPermission()) === 'granted';
}

/** Whether the user wants notifications and the browser still allows them. */
export const isNotifying = (wanted: boolean): boolean =>
  wanted && hasNotifications() && Notification.permission === 'granted';

/**
 * Shows a notification that opens this page when clicked, if the user has turned it on and the browser allows it.
 */
export async function showNotification(title: string): Promise<void> {
  if (!isNotifying(audioPreferences.getSnapshot().notifyOfTrouble)) return;
  const options = { body: i18n._(msg`Check your recording`), tag: 'earshot-trouble', lang: i18n.locale };
  const worker = await serviceWorkers()
    ?.getRegistration()
    .catch(() => undefined);
  if (worker?.active) {
    await worker.showNotification(title, options);
    return;
  }
  const notification = new Notification(title, options);
  notification.addEventListener('click', () => {
    globalThis.focus();
    notification.close();
  });
}
