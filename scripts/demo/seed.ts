import { ApiClient } from '#tests/support/api-client.ts';
import { storeDemoRecordings } from './demo-recordings.ts';

/**
 * The account of a seeded development server. A password signs in on every later start, also without `--seed`; the
 * demo's provider would have to run each time, at the same address (docs/decisions/0112).
 */
const seedUser = {
  email: 'ada@demo.example',
  displayName: 'Ada Demo',
  password: 'earshot on my own machine',
};

/** Signs in as the user of the seed, who is created by the first call. */
async function signIn(client: ApiClient): Promise<void> {
  const { email, password } = seedUser;
  try {
    await client.json('POST', '/auth/login', { body: { email, password } });
  } catch {
    await client.json('POST', '/auth/signup', { body: seedUser });
  }
}

/** Stores the demo's recordings on a development server, unless it has them. Returns what to tell the developer. */
export async function seed(url: string): Promise<string> {
  const client = new ApiClient(url);
  try {
    await signIn(client);
    const count = await storeDemoRecordings(client);
    const stored =
      count === 0 ? 'The demo’s recordings were there already' : `${count} recordings were stored`;
    return `${stored}. Sign in as ${seedUser.email} with the password "${seedUser.password}".`;
  } finally {
    client.close();
  }
}
