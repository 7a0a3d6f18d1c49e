import { readConfig } from '#server/config.ts';
import { startServer } from '#server/server.ts';

// Runs the product's server with a test's build of the web app.
const { WEB_DIRECTORY: webDirectory = '' } = process.env;
const server = await startServer(readConfig(process.env), { webDirectory });
process.on('SIGTERM', () => {
  void server.stop().then(() => process.exit(0));
});
console.log(`Earshot is ready at ${server.url}`);
