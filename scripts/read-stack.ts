// Reads the stack of an error that a user has sent, with the source maps of the build:
//
//   node scripts/read-stack.ts < stack.txt
//   node scripts/read-stack.ts --maps folder/of/another/build < stack.txt
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { readStack } from './source-maps.ts';

const { values } = parseArgs({ options: { maps: { type: 'string' } } });
const maps = values.maps ?? join(import.meta.dirname, '..', 'dist', 'source-maps');
if (process.stdin.isTTY) console.error('Paste the stack, then press Ctrl+D.');
const read = await readStack(await text(process.stdin), maps);
process.stdout.write(read.text);
if (read.unknownFiles.length > 0) {
  console.error(
    `No map of ${read.unknownFiles.join(', ')} in ${maps}: build the version that the user has ("npm run build"), or name its maps with --maps.`,
  );
  process.exitCode = 1;
}
