import { userScope } from '#web/api/user-scope.ts';

const texts = new Map<string, string>();
userScope.onSessionEnd(() => texts.clear());

/** What the user typed into the editors of lines and has not saved. It stays while the page is open. */
export const lineDrafts = {
  get: (id: string): string | null => texts.get(id) ?? null,
  /** Forgets the text if it is null. */
  set(id: string, text: string | null): void {
    if (text === null) texts.delete(id);
    else texts.set(id, text);
  },
};
