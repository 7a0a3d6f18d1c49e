import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { buildWeb } from '../scripts/build-web.ts';
import { appendBench } from './append-bench.ts';
import { captureBench } from './capture-bench.ts';
import { toMarkdown, type Section } from './figures.ts';
import { openBench } from './open-bench.ts';
import { sizeBench } from './size-bench.ts';
import { stopBench } from './stop-bench.ts';

const sections: Record<string, () => Section | Promise<Section>> = { size: sizeBench, stop: stopBench, append: appendBench, open: openBench, capture: captureBench };

const chosen = process.argv.slice(2);
await buildWeb();
const texts: string[] = [`${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores\n`];
for (const [name, run] of Object.entries(sections)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const text = toMarkdown(await run());
  console.log(text);
  texts.push(text);
}
mkdirSync('.cache', { recursive: true });
writeFileSync('.cache/bench.md', texts.join('\n'));
