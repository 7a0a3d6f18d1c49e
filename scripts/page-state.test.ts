import { expect, test } from 'vitest';
import { endsWithUser, stateIn } from './page-state.ts';

test('a store, a collection, an object, a stored value and a variable of a module are state', () => {
  const source = [
    'const store = createStore(1);',
    'export const queue = new PlayQueue();',
    'const byId: Map<string, number> = new Map();',
    'const seen = new Set<string>();',
    'const listeners: Map<string, () => void> = new Map();',
    'const recovery = createRecovery({',
    "const claims = storedIds('sessionStorage', 'claims');",
    "const parts = new Set<string>(['first']);",
    'parts.add(next);',
    'let last: string | null = null;',
    'let text = "";',
  ].join('\n');
  expect(stateIn(source)).toEqual([
    'store',
    'queue',
    'byId',
    'seen',
    'listeners',
    'recovery',
    'claims',
    'parts',
    'last',
    'text',
  ]);
});

test('constants, flags, counts and variables of functions are not state', () => {
  const source = [
    "const kinds = new Set(['a']);",
    'const events = createEmitter<Events>();',
    'const collator = new Intl.Collator();',
    'const chosen = userScope.createStore(1);',
    'let isStarted = false;',
    'let opening = 0;',
    'function read() {',
    '  let last = null;',
    '}',
  ].join('\n');
  expect(stateIn(source)).toEqual([]);
});

test('recognises a source that ends its state', () => {
  expect(endsWithUser('userScope.onSessionEnd(() => queue.reset());')).toBe(true);
  expect(endsWithUser('sessionState.subscribe(() => queue.reset());')).toBe(false);
});
