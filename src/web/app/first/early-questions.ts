/** Somebody was signed in when this was last known (`last-person.ts`): without it, what belongs to a person would only be refused. */
const hasPerson = /(?:^|; )signed-in=1/;
const onePage = /^\/recordings\/([\w-]+)$/;

/** What a page asks the server first, by its address: who is signed in, and what it shows of theirs. What differs from the program's own question is asked for nothing. */
export function questionsAt({ pathname, search }: { pathname: string; search: string }, cookie: string): string[] {
  const own: string[] = [];
  const recordingId = onePage.exec(pathname)?.[1];
  if (pathname === '/library' && search === '') own.push('/api/recordings?limit=100');
  if (recordingId !== undefined) own.push(`/api/recordings/${recordingId}`);
  return ['/auth/session', ...(hasPerson.test(cookie) ? own : [])];
}
