import { isTypeScript, productFiles, readSource } from './source-files.ts';

const exported =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const|enum|let) ([A-Za-z0-9_]+)/gm;

/** Files that may export names of other files, each with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'src/web/features/recorder/lazy-parts.tsx': 'a lazy component is called like the component that it loads',
  'src/web/dev/': 'sections of the page of components are called like what they show',
};

const isException = (file: string) => Object.keys(exceptions).some((start) => file.startsWith(start));

/** An endpoint of the contract and the function that handles it share a name. */
const isEndpointWithHandler = (files: readonly string[]) =>
  files.length === 2 && files.some((file) => file.startsWith('src/contract/'));

/** Returns the names that two or more files export, with those files. */
function sharedNames(): { name: string; files: string[] }[] {
  const filesByName = new Map<string, Set<string>>();
  for (const file of productFiles()) {
    if (!isTypeScript(file) || isException(file)) continue;
    for (const [, name = ''] of readSource(file).matchAll(exported)) {
      filesByName.set(name, (filesByName.get(name) ?? new Set()).add(file));
    }
  }
  return [...filesByName]
    .map(([name, files]) => ({ name, files: [...files].toSorted() }))
    .filter(({ files }) => files.length > 1 && !isEndpointWithHandler(files));
}

if (import.meta.main) {
  const shared = sharedNames();
  for (const { name, files } of shared) console.error(`${name}: exported by ${files.join(' and ')}`);
  process.exitCode = shared.length > 0 ? 1 : 0;
}
