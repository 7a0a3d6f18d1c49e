// Builds the web app if it is missing or outdated, then runs the server. A separate process is needed because
// Node's thread pool must be sized before its first file call: with four threads, a slow disk delays playback
// behind uploads (docs/decisions/0003).
import './node-version.mjs';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const { buildWeb, WebBuildError } = await import('./build-web.ts');
try {
  await buildWeb();
} catch (error) {
  console.error(error instanceof WebBuildError ? error.message : error);
  process.exit(1);
}

const main = fileURLToPath(new URL('../src/server/main.ts', import.meta.url));
const server = spawn(process.execPath, [main], {
  stdio: 'inherit',
  env: { UV_THREADPOOL_SIZE: '32', ...process.env },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
