import { second } from '#base/duration.ts';

/** The pauses between the attempts. Together they are longer than a server takes to restart. */
const pausesMs = [second / 2, second, 2 * second, 4 * second];

function appendLink(rel: 'stylesheet' | 'modulepreload', href: string): HTMLLinkElement {
  const link = Object.assign(document.createElement('link'), { rel, href, crossOrigin: '' });
  document.head.append(link);
  return link;
}

const styles = new Map<string, Promise<void>>();

async function loadStyle(href: string): Promise<void> {
  // Contains a sheet of the page itself only once it has loaded.
  if ([...document.styleSheets].some((sheet) => sheet.href === href)) return;
  const link = appendLink('stylesheet', href);
  await new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => {
      link.remove();
      styles.delete(href);
      reject(new Error(`Failed to load ${href}`));
    };
  });
}

/** Loads a file that a chunk needs. The import waits for styles; scripts only start to load. */
function loadFile(file: string): Promise<void> | undefined {
  const { href } = new URL(`/${file}`, location.href);
  if (!file.endsWith('.css')) {
    if (![...document.querySelectorAll('link')].some((link) => link.href === href))
      appendLink('modulepreload', href);
    return undefined;
  }
  const loading = styles.get(href) ?? loadStyle(href);
  styles.set(href, loading);
  return loading;
}

/**
 * Loads a chunk with its styles and with the scripts that it imports, and retries. The build puts this in place of
 * Vite's helper around every `import()`: that one gives up at once, and takes a style sheet that has failed before
 * for loaded. Announces every failure with the event of that helper, `vite:preloadError`. Browsers that cache a
 * failed import for good (HTML, before July 2026) only retry style sheets.
 * @param files the paths of the scripts and styles, relative to the root of the server
 * @throws the browser's error once the last attempt has failed
 * @public
 */
export async function loadChunk<Module>(
  load: () => Promise<Module>,
  files: readonly string[] = [],
): Promise<Module> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const [module] = await Promise.all([load(), ...files.map(loadFile)]);
      return module;
    } catch (error) {
      dispatchEvent(new Event('vite:preloadError'));
      const pauseMs = pausesMs[attempt];
      if (pauseMs === undefined) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, pauseMs);
      });
    }
  }
}
