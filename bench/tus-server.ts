// The baseline of the append bench: the tus reference server with its file store, in a separate process.
import { FileStore } from '@tus/file-store';
import { Server } from '@tus/server';

const [port = '0', directory = '.'] = process.argv.slice(2);
new Server({ path: '/files', datastore: new FileStore({ directory }) }).listen(
  { host: '127.0.0.1', port: Number(port) },
  () => {
    console.log('ready');
  },
);
