/**
 * The page's service workers; null on a page that is not secure or if the browser rejects access because site data
 * is blocked.
 */
export function serviceWorkers(): ServiceWorkerContainer | null {
  try {
    return 'serviceWorker' in navigator ? navigator.serviceWorker : null;
  } catch {
    return null;
  }
}
