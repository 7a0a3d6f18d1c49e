/** Browsers whose way to the microphone permission differs. */
export type BrowserFamily = 'chromium' | 'chromium-phone' | 'firefox' | 'safari' | 'safari-phone';

/**
 * Only to choose which help is shown first; an iPad calls itself a Mac and gives itself away by its touch
 * points.
 */
export function browserFamilyOf(userAgent: string, touchPoints: number): BrowserFamily {
  if (/iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && touchPoints > 1))
    return 'safari-phone';
  if (userAgent.includes('Firefox/')) return 'firefox';
  if (userAgent.includes('Android')) return 'chromium-phone';
  return /Chrome\/|Chromium\//.test(userAgent) ? 'chromium' : 'safari';
}
