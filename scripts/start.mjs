// Builds the web app where it is missing or outdated, then becomes the server. Node's thread pool has to be
// sized before its first file call, hence a process of its own: with four threads a slow disk holds up
// playback behind uploads (docs/decisions/0003).
import './node-version.mjs';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const { ensureWebBuild, WebBuildError } = await import('./ensure-web-build.ts');
try {
  await ensureWebBuild(fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, ''));
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
