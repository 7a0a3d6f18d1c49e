import { ConfigError, readConfig } from './config.ts';
import { startServer } from './server.ts';
import { exitCodeOf } from './start/exit-code.ts';
import { misspelledVariables, reachHints } from './start/hints.ts';
import { StartError } from './start-error.ts';

async function run(): Promise<void> {
  for (const hint of misspelledVariables(process.env)) console.error(hint);
  const config = readConfig(process.env);
  const server = await startServer(config);
  let isStopping = false;
  const stop = async ({ drains }: { drains: boolean }): Promise<void> => {
    // A second signal stops immediately.
    if (isStopping) process.exit(1);
    isStopping = true;
    await server.stop({ drains });
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop({ drains: true }));
  // Ctrl+C: no proxy has to notice.
  process.on('SIGINT', () => void stop({ drains: false }));
  for (const hint of reachHints(config)) console.error(hint);
  if (server.setUpCode !== null)
    console.log(`Set-up code for the first account, which administers this server: ${server.setUpCode}`);
  console.log(`Earshot is ready at ${server.url}`);
}

// Files, folders and sockets are private to this user, whatever the mode of the parent directory.
process.umask(0o077);

try {
  await run();
} catch (error) {
  console.error(error instanceof ConfigError || error instanceof StartError ? error.message : error);
  process.exit(exitCodeOf(error));
}
