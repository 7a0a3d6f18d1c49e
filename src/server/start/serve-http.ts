import { second } from '#base/duration.ts';
import type { Config } from '#server/config.ts';
import type { Service } from '#server/features/feature.ts';
import type { HttpApp } from '#server/http/app.ts';
import { listen } from './listen.ts';

/** How long requests in flight may delay a shutdown. */
const shutdownTimeoutMs = 10 * second;

async function close(app: HttpApp): Promise<void> {
  const timeout = setTimeout(() => app.server.closeAllConnections(), shutdownTimeoutMs);
  try {
    await app.close();
  } finally {
    clearTimeout(timeout);
  }
}

/**
 * The service that answers requests. Stopping it waits for requests in flight, for ten seconds at most.
 * @param onListening called with the URL of the server
 */
export const httpService = (app: HttpApp, config: Config, onListening: (url: string) => void): Service => ({
  async start() {
    onListening(await listen(app, config));
  },
  stop: () => close(app),
});
