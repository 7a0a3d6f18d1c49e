import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { buildWeb } from '#scripts/build-web.ts';
import { appendBench } from './append-bench.ts';
import { appendServersBench } from './append-servers-bench.ts';
import { appendSoakBench } from './append-soak-bench.ts';
import { appendStoresBench } from './append-stores-bench.ts';
import { captureBench } from './capture-bench.ts';
import { toMarkdown, type SectionMaker } from './figures.ts';
import { firstSoundBench } from './first-sound-bench.ts';
import { journalBench } from './journal-bench.ts';
import { libraryBenches } from './library-benches.ts';
import { lighthouseBench } from './lighthouse-bench.ts';
import { listenersBench } from './listeners-bench.ts';
import { listeningPageBench } from './listening-page-bench.ts';
import { neighbourBench } from './neighbour-bench.ts';
import { neighbourReadsBench } from './neighbour-reads-bench.ts';
import { openBench } from './open-bench.ts';
import { shareBench } from './share-bench.ts';
import { sizeBench } from './size-bench.ts';
import { stopBench } from './stop-bench.ts';

const sections: Record<string, SectionMaker> = {
  size: sizeBench,
  stop: stopBench,
  append: async () => [await appendBench(), await appendServersBench(), await appendStoresBench()],
  'append-servers': appendServersBench,
  'append-stores': appendStoresBench,
  'append-soak': appendSoakBench,
  open: openBench,
  capture: captureBench,
  journal: journalBench,
  neighbour: async () => [await neighbourBench(), await neighbourReadsBench()],
  'neighbour-reads': neighbourReadsBench,
  'first-sound': firstSoundBench,
  share: async () => [await shareBench(), ...(await listeningPageBench()), await listenersBench()],
  lighthouse: lighthouseBench,
  ...libraryBenches,
};

/** Benches of hours, and parts of others, which run only by name. */
const onlyByName = new Set(['append-soak', 'neighbour-reads']);

const chosen = process.argv.slice(2);
await buildWeb();
const texts: string[] = [
  `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores\n`,
];
for (const [name, run] of Object.entries(sections)) {
  if (chosen.length > 0 ? !chosen.includes(name) : onlyByName.has(name)) continue;
  const text = [await run()].flat().map(toMarkdown).join('\n');
  console.log(text);
  texts.push(text);
}
mkdirSync('.cache', { recursive: true });
writeFileSync('.cache/bench.md', texts.join('\n'));
