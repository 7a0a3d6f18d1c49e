import { readConfig } from '#server/config.ts';
import { startServer } from '#server/server.ts';

// The product's own server, with a build of the web app that a test has made.
const { WEB_DIRECTORY: webDirectory = '' } = process.env;
const server = await startServer(readConfig(process.env), { webDirectory });
process.on('SIGTERM', () => {
  void server.stop().then(() => process.exit(0));
});
console.log(`Earshot is ready at ${server.url}`);
