import { productFiles, readSource } from './source-files.ts';

/**
 * Matches module variables that can change while the page is open: a `let` that is neither a flag nor a count, a
 * collection, a class instance, a stored value, or what a factory (`createStore`, `createRecovery`) returns.
 */
const variable =
  /^(?:export )?(?:let (?!\w+ = (?:true|false|0);)(?<changing>\w+)|const (?<fixed>\w+)(?:: (?:[^=]|=>)+?)? = (?:await )?(?<value>create[A-Z]\w*|new (?:Map|Set)(?:<.*>)?\((?<isEmpty>\))?|new (?!Map|Set)[\w.]+|persistedChoice|storedIds))/gm;
/** Matches values that hold no state, listeners alone, or state that is collected with the object it belongs to. */
const stateless =
  /^(?:createEmitter|new (?:WeakMap|WeakSet|RegExp|URL|TextEncoder|TextDecoder|Uint8Array|Int8Array|ApiError|Intl\.\w+))$/;

/**
 * Files and folders whose state does not end with the user, each with the reason. All other module state is
 * created by `userScope.createStore`, or its file ends it in `userScope.onSessionEnd` or `userScope.onUserLeft`.
 */
const exceptions: Readonly<Record<string, string>> = {
  'src/device/': 'takes and outbox entries are stored with their owner, and the viewer sees no other',
  'src/web/api/connection/': 'whether the server can be reached',
  'src/web/api/queries/': 'follows the query cache, which query-client.ts empties',
  'src/web/api/old-writes-prompt.ts': 'asks about held requests, and says only how many',
  'src/web/api/session-state.ts': 'the session itself',
  'src/web/api/sign-in-prompt.ts': 'asks for the sign-in',
  'src/web/api/user-scope.ts': 'the scope itself',
  'src/web/app/page-mounted.tsx': 'scroll positions, by a key of the browser that names no recording',
  'src/web/app/prerender/': 'ends before the session is known',
  'src/web/app/shortcuts/': 'the sheet of shortcuts is the same for everyone',
  'src/web/features/accounts/passkeys/web-authn.ts': 'waits for the dialog of the browser',
  'src/web/features/imports/': 'an import is stored with its owner, and no other user sees it',
  'src/web/features/library/actions/undo-toast.ts': 'closes a toast; main.tsx removes all',
  'src/web/features/library/list/density.ts': 'a choice of this browser',
  'src/web/features/player/playback/resume.ts':
    'saves what the player does, and has no position once it is closed',
  'src/web/features/player/waveform/looping.ts': 'the player follows the switch, which ends',
  'src/web/features/recorder/': 'a take belongs to the user who started it, and outlives the session',
  'src/web/features/settings/': 'choices of this browser',
  'src/web/i18n/': 'messages and formats of the language',
  'src/web/offline/': 'the version of the app',
  'src/web/outbox/': 'an entry is stored with its owner and sent for no other user',
  'src/web/ui/text/title-sign.ts': 'ends with the component that shows the sign',
  'src/web/recordings/state/transfers.ts': 'whether bytes move, by a random id',
  'src/web/request-states/own-notices.ts': 'how many notices are mounted',
  'src/web/shortcuts/': 'choices of this browser, and letters of the last moment',
  'src/web/ui/feedback/announce.ts': 'main.tsx empties it',
  'src/web/ui/focus/': 'where the focus was',
  'src/web/ui/lazy/': 'code that was loaded',
  'src/web/ui/lists/selection.ts': 'the empty set',
  'src/web/ui/overlays/toast-queue.ts': 'main.tsx empties it',
};

/** Returns the variables of one source that hold state. A collection with first values counts if it is changed. */
export function stateIn(source: string): string[] {
  return [...source.matchAll(variable)].flatMap(({ groups }) => {
    const { changing, fixed, value = '', isEmpty } = groups ?? {};
    if (changing !== undefined) return [changing];
    if (fixed === undefined || stateless.test(value)) return [];
    const isFilled = /^new (?:Map|Set)\b/.test(value) && isEmpty === undefined;
    return isFilled && !isChanged(source, fixed) ? [] : [fixed];
  });
}

const isChanged = (source: string, name: string): boolean =>
  new RegExp(String.raw`\b${name}\.(?:add|set|delete|clear)\(`).test(source);

/** Returns whether a source ends its state. */
export const endsWithUser = (source: string): boolean =>
  /\buserScope\.(?:onSessionEnd|onUserLeft)\(/.test(source);

const isOfPage = (file: string): boolean =>
  /^src\/(?:web|device)\/.*\.tsx?$/.test(file) && !file.startsWith('src/web/dev/');

/** Lists all module state of the page that nothing ends, as `file: name`. */
function endlessState(): string[] {
  return productFiles()
    .filter(isOfPage)
    .flatMap((file) => {
      const source = readSource(file);
      return endsWithUser(source) ? [] : stateIn(source).map((name) => `${file}: ${name}`);
    });
}

if (import.meta.main) {
  const found = endlessState();
  const starts = Object.keys(exceptions);
  const findings = [
    ...found
      .filter((entry) => !starts.some((start) => entry.startsWith(start)))
      .map(
        (entry) =>
          `${entry} outlives the user: create it with userScope.createStore, or end it in userScope.onSessionEnd or userScope.onUserLeft (src/web/api/user-scope.ts). If it holds nothing of a user, add it to the exceptions of scripts/page-state.ts with the reason.`,
      ),
    ...starts
      .filter((start) => !found.some((entry) => entry.startsWith(start)))
      .map((start) => `${start}: no source needs this exception of scripts/page-state.ts`),
  ];
  for (const finding of findings) console.error(finding);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
