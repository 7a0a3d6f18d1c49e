import { lastUser, pendingStarsKey } from '#web/api/last-user.ts';
import { viewerId } from '#web/api/viewer.ts';
import { readJson, writeText } from '#device/site-data/text-store.ts';

/**
 * Set where the browser refuses its stores, and on a shared computer, on which nothing stays: it lives as
 * long as the page.
 */
let unstored: string | null = null;

/** Pending stars on this device, which all tabs share. */
export const storedStars = {
  read: (): unknown => (unstored === null ? readJson('localStorage', pendingStarsKey) : JSON.parse(unstored)),
  write(text: string | null): void {
    const mayStay = lastUser()?.id === viewerId();
    unstored = mayStay && writeText('localStorage', pendingStarsKey, text) ? null : text;
  },
  /** Calls back when another tab changed them. */
  onChange(listener: () => void): void {
    globalThis.window?.addEventListener('storage', ({ key }) => {
      if (key === pendingStarsKey) listener();
    });
  },
};
