import type { ReactNode } from 'react';
import { Trans } from '@lingui/react/macro';
import styles from './permission.module.css';

/** Browsers that differ in how the microphone permission is changed. */
type BrowserFamily = 'chromium' | 'chromium-phone' | 'firefox' | 'safari' | 'safari-phone';

/**
 * Only chooses which help is shown first. An iPad has the user agent of a Mac, but unlike a Mac it has touch
 * points.
 */
function browserFamilyOf(userAgent: string, touchPoints: number): BrowserFamily {
  if (/iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && touchPoints > 1))
    return 'safari-phone';
  if (userAgent.includes('Firefox/')) return 'firefox';
  if (userAgent.includes('Android')) return 'chromium-phone';
  return /Chrome\/|Chromium\//.test(userAgent) ? 'chromium' : 'safari';
}

interface Steps {
  name: ReactNode;
  steps: ReactNode;
}

function stepsFor(family: BrowserFamily): Steps {
  switch (family) {
    case 'chromium':
      return {
        name: <Trans>Chrome and Edge</Trans>,
        steps: (
          <>
            <li>
              <Trans>Click the icon next to the address.</Trans>
            </li>
            <li>
              <Trans>Turn on “Microphone”.</Trans>
            </li>
            <li>
              <Trans>Come back to this page and try again.</Trans>
            </li>
          </>
        ),
      };
    case 'chromium-phone':
      return {
        name: <Trans>Chrome on Android</Trans>,
        steps: (
          <>
            <li>
              <Trans>Tap the icon next to the address, then “Permissions”.</Trans>
            </li>
            <li>
              <Trans>
                Allow “Microphone”. If it isn’t listed, allow it for Chrome in your phone’s settings.
              </Trans>
            </li>
            <li>
              <Trans>Come back to this page and try again.</Trans>
            </li>
          </>
        ),
      };
    case 'firefox':
      return {
        name: <Trans>Firefox</Trans>,
        steps: (
          <>
            <li>
              <Trans>Click the crossed-out microphone in the address bar.</Trans>
            </li>
            <li>
              <Trans>Remove “Blocked” next to “Use the microphone”.</Trans>
            </li>
            <li>
              <Trans>Try again and choose “Allow” when Firefox asks.</Trans>
            </li>
          </>
        ),
      };
    case 'safari':
      return {
        name: <Trans>Safari on a Mac</Trans>,
        steps: (
          <>
            <li>
              <Trans>In the menu bar, open “Safari”, then “Settings for This Website…”.</Trans>
            </li>
            <li>
              <Trans>Set “Microphone” to “Allow”.</Trans>
            </li>
            <li>
              <Trans>Come back to this page and try again.</Trans>
            </li>
          </>
        ),
      };
    case 'safari-phone':
      return {
        name: <Trans>Safari on iPhone and iPad</Trans>,
        steps: (
          <>
            <li>
              <Trans>Tap the page menu icon in the address bar, then “Website Settings”.</Trans>
            </li>
            <li>
              <Trans>Set “Microphone” to “Allow”.</Trans>
            </li>
            <li>
              <Trans>Come back to this page and try again.</Trans>
            </li>
          </>
        ),
      };
  }
}

const families: readonly BrowserFamily[] = [
  'chromium',
  'chromium-phone',
  'firefox',
  'safari',
  'safari-phone',
];

/** How to unblock the microphone: the steps for this browser, and on demand those for other browsers. */
export function PermissionSteps() {
  const own = browserFamilyOf(navigator.userAgent, navigator.maxTouchPoints);
  const { name, steps } = stepsFor(own);
  return (
    <div className={styles.help}>
      <h3>{name}</h3>
      <ol className={styles.steps}>{steps}</ol>
      <details className={styles.others}>
        <summary>
          <Trans>Another browser</Trans>
        </summary>
        {families
          .filter((family) => family !== own)
          .map((family) => (
            <div key={family} className={styles.other}>
              <h3>{stepsFor(family).name}</h3>
              <ol className={styles.steps}>{stepsFor(family).steps}</ol>
            </div>
          ))}
      </details>
    </div>
  );
}
