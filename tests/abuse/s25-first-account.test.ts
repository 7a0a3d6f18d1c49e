import { describe, expect, onTestFinished, test } from 'vitest';
import { ApiClient, newId } from '#tests/support/api-client.ts';
import type { EarshotServer } from '#tests/support/earshot-server.ts';
import { onEveryDatabase } from './attack.ts';

const publicUrl = 'https://ear.example.org';

/** Signs up as a browser at the public URL does. */
async function signUp(
  server: EarshotServer,
  setUpCode?: string,
): Promise<{ status: number; code?: string; user?: { role: string } }> {
  const client = new ApiClient(server.url);
  onTestFinished(() => client.close());
  const { status, body } = await client.send({
    method: 'POST',
    path: '/auth/signup',
    headers: {
      host: 'ear.example.org',
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      'x-requested-with': 'earshot',
    },
    body: Buffer.from(
      JSON.stringify({
        email: `${newId()}@example.org`,
        password: 'a quiet harbour at dusk 7',
        ...(setUpCode === undefined ? {} : { setUpCode }),
      }),
    ),
  });
  return { status, ...(JSON.parse(body.toString()) as { code?: string; user?: { role: string } }) };
}

const codeIn = (output: string): string | undefined => /Set-up code .*: ([0-9A-Z-]{14})/.exec(output)?.[1];

// Previously the first user to reach a public installation became its administrator.
onEveryDatabase((launch) => {
  describe('S25: the first account of a publicly reachable installation', () => {
    test('needs the code that the server prints; later accounts need none', async () => {
      const server = await launch({ PUBLIC_URL: publicUrl });
      const code = codeIn(server.output);
      expect(await signUp(server)).toMatchObject({ status: 422, code: 'set-up-code-invalid' });
      expect(await signUp(server, '0000-0000-0000')).toMatchObject({
        status: 422,
        code: 'set-up-code-invalid',
      });
      expect(await signUp(server, code)).toMatchObject({ status: 201, user: { role: 'admin' } });
      expect(await signUp(server)).toMatchObject({ status: 201, user: { role: 'member' } });
    });

    test('keeps the code after a restart; a server with an account no longer prints it', async () => {
      const server = await launch({ PUBLIC_URL: publicUrl });
      const code = codeIn(server.output);
      await server.end('SIGTERM');
      await server.start();
      const restarted = server.output.length;
      expect(await signUp(server, code)).toMatchObject({ status: 201 });
      await server.end('SIGTERM');
      await server.start();
      expect(codeIn(server.output.slice(restarted))).toBeUndefined();
    });
  });
});
