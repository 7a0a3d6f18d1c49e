import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesUnder, readSource, root } from '../source-files.ts';

const recorder = 'src/web/features/recorder';
const player = 'src/web/features/player';
const everyScreen = ['src/web/app/layout', 'src/web/ui/controls/*.css'];
const recorderScreen = [
  `${recorder}/screen/recorder-screen.tsx`,
  `${recorder}/screen/take-stage.tsx`,
  `${recorder}/screen/running-chips.tsx`,
  `${recorder}/screen/controls.module.css`,
  `${recorder}/screen/screen.module.css`,
  `${recorder}/live/*.css`,
];
const playerScreen = [
  `${player}/screen/title-line.tsx`,
  `${player}/screen/facts-line.tsx`,
  `${player}/screen/player-tools.tsx`,
  `${player}/screen/screen.module.css`,
  `${player}/controls/*.css`,
  `${player}/waveform/*.css`,
];

/**
 * The files whose words and styles each picture of README.md shows. Others on these screens are left out if a change
 * of them is hardly seen in the picture, such as those of menus, notices and dialogs.
 */
const screens: Readonly<Record<string, readonly string[]>> = {
  'recorder.png': [...everyScreen, ...recorderScreen],
  'player.png': [...everyScreen, ...playerScreen],
  'survives.webp': [...everyScreen, ...recorderScreen, ...playerScreen],
};

const states = 'docs/images/states.json';

/** Lists the English messages of some files, from a catalogue that names the files of each message. */
function messagesOf(catalogue: string, files: ReadonlySet<string>): string[] {
  return catalogue
    .split('\n\n')
    .filter((entry) => [...entry.matchAll(/^#: (.+)$/gm)].some(([, file = '']) => files.has(file)))
    .map((entry) => entry.slice(entry.indexOf('\nmsgid ')))
    .toSorted();
}

const withoutLayout = (css: string): string =>
  css.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/\s+/g, ' ');

/** Returns a hash of the words and styles of some files. Comments, logic and the order of words don't change it. */
export function stateOf(catalogue: string, files: ReadonlyMap<string, string>): string {
  const styles = [...files].filter(([file]) => file.endsWith('.css')).map(([, css]) => withoutLayout(css));
  return createHash('sha256')
    .update(JSON.stringify([messagesOf(catalogue, new Set(files.keys())), styles]))
    .digest('hex')
    .slice(0, 16);
}

function currentStates(): Record<string, string> {
  const catalogue = readSource('locales/en.po');
  return Object.fromEntries(
    Object.entries(screens).map(([picture, sources]) => {
      const files = sources.flatMap((source) => {
        const found = filesUnder(source);
        if (found.length === 0) throw new Error(`${picture} shows ${source}, which does not exist`);
        return found;
      });
      return [picture, stateOf(catalogue, new Map(files.map((file) => [file, readSource(file)])))];
    }),
  );
}

/** Records that the pictures show the current screens. */
export function savePictureStates(): void {
  writeFileSync(join(root, states), `${JSON.stringify(currentStates(), null, 2)}\n`);
}

/** Lists the pictures that are older than their screens. */
function oldPictures(): string[] {
  const saved: unknown = JSON.parse(readSource(states));
  const savedStates = new Map(Object.entries(saved ?? {}));
  return Object.entries(currentStates())
    .filter(([picture, state]) => savedStates.get(picture) !== state)
    .map(([picture]) => picture);
}

if (import.meta.main) {
  if (process.argv.includes('--unchanged')) savePictureStates();
  const old = oldPictures();
  for (const picture of old)
    console.log(
      `docs/images/${picture} is older than the words or styles of its screen: run \`npm run readme:pictures\`. If the picture doesn't show the change, run \`node scripts/readme/picture-state.ts --unchanged\`.`,
    );
  process.exitCode = old.length > 0 ? 1 : 0;
}
