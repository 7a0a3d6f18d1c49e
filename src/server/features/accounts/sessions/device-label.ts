const browsers: readonly [pattern: RegExp, name: string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b((Headless)?Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly [pattern: RegExp, name: string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const firstMatch = (candidates: typeof browsers, text: string): string | undefined =>
  candidates.find(([pattern]) => pattern.test(text))?.[1];

/**
 * Names a device by browser and operating system, such as `Firefox · Linux`. These are proper names, so they need
 * no translation. Empty if neither is recognised.
 */
export function deviceLabel(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, 512);
  return [firstMatch(browsers, text), firstMatch(systems, text)]
    .filter((part) => part !== undefined)
    .join(' · ');
}
