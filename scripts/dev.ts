// Runs Earshot for development: Vite serves the page with hot updates, and the API server behind it restarts when
// its files change. Never part of `npm start`.
import './node-version.mjs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createServer } from 'vite';
import { buildListening } from './build-listening.ts';
import { writePseudoCatalogues } from './catalogue/pseudo.ts';
import { seed } from './demo/seed.ts';
import { freePort } from './free-port.ts';

const root = join(import.meta.dirname, '..');
const pagePort = Number(process.env['PORT'] ?? 5173);

writePseudoCatalogues(join(root, 'locales'));
// The server writes these into the listening page, which has no hot updates.
await buildListening(join(root, 'dist', 'web'));
const apiPort = await freePort();
const vite = await createServer({
  configFile: join(root, 'vite.config.ts'),
  cacheDir: join(root, '.cache', 'vite'),
  // Without explicit entries the dependency scan uses the build's, whose paths do not match, and the page reloads
  // for every package it finds.
  optimizeDeps: { entries: ['index.html', 'app/main.tsx', 'dev/ui.html'] },
  server: {
    host: 'localhost',
    port: pagePort,
    strictPort: true,
    // The page's source files in src/web/api have the same prefix, but API URLs never end like a source file.
    proxy: {
      [String.raw`^/(api|auth|s|embed)/(?!.*\.tsx?(\?|$))`]: { target: `http://127.0.0.1:${apiPort}` },
      '^/oembed': { target: `http://127.0.0.1:${apiPort}` },
    },
  },
});
await vite.listen();
const url = `http://localhost:${pagePort}`;

const server = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', join(root, 'src', 'server', 'main.ts')],
  {
    // The log is of interest to those who ask for it.
    stdio: ['ignore', process.env['LOG_LEVEL'] === undefined ? 'ignore' : 'inherit', 'inherit'],
    env: {
      DATA_DIR: join(root, '.cache', 'dev-data'),
      LOG_LEVEL: 'warn',
      UV_THREADPOOL_SIZE: '32',
      ...process.env,
      HOST: '127.0.0.1',
      PORT: String(apiPort),
      PUBLIC_URL: url,
    },
  },
);
const end = async (code: number): Promise<never> => {
  server.kill('SIGTERM');
  await vite.close();
  process.exit(code);
};
server.once('exit', (code) => {
  void end(code ?? 0);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    void end(0);
  });

const untilReady = async (): Promise<void> => {
  const isReady = () =>
    fetch(`http://127.0.0.1:${apiPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) await delay(100);
};

console.log(
  `Earshot for development is ready at ${url}, every part of it in every state at ${url}/dev/ui. Its data is in .cache/dev-data.`,
);
if (process.argv.includes('--seed')) {
  await untilReady();
  // The server stays useful without.
  console.log(
    await seed(`http://localhost:${apiPort}`).catch((error: unknown) => `The seed failed: ${String(error)}`),
  );
}
