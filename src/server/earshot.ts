// What `bin/earshot` runs: the commands of cli.ts, with compiled code from the start before.
import { statSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { second } from '#base/duration.ts';

/** When a server has loaded everything that it defers (`start/services.ts`). */
const flushAfterMs = 20 * second;

/**
 * The folder of compiled code, or null. Compiled code is code: it is only read from a folder of this user that no other
 * user may write, so a command of root runs nothing that the server's user stored.
 */
function compileCacheFolder(): string | null {
  const dataDir = process.env['DATA_DIR'] || './data';
  const stats = statSync(dataDir, { throwIfNoEntry: false });
  return stats?.uid === process.getuid?.() && ((stats?.mode ?? 0) & 0o022) === 0
    ? join(dataDir, 'compile-cache')
    : null;
}

process.umask(0o077);
const folder = compileCacheFolder();
if (folder !== null) {
  enableCompileCache(folder);
  // Otherwise it is written when the process ends, which SIGKILL prevents.
  setTimeout(flushCompileCache, flushAfterMs).unref();
}
await import('./cli.ts');
