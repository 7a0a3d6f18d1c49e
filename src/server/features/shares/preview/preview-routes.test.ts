import { beforeEach, describe, expect, it } from 'vitest';
import type { NewShare } from '#contract/shares-api.ts';
import type { Share } from '#contract/shares.ts';
import { rejection } from '#tests/support/accounts-under-test.ts';
import { type ApiUnderTest, apiUnderTest, recordTake, type TestUser } from '#tests/support/api-under-test.ts';
import { freshDatabase } from '#tests/support/databases.ts';
import { goodLinkPassword, listener, share, tokenOf } from '#tests/support/sharing.ts';

let api: ApiUnderTest;
let owner: TestUser;
let recordingId: string;

const made = (settings: Partial<NewShare> = {}): Promise<Share> =>
  share({ api, user: owner }, recordingId, settings);
const cardOf = (shared: Share) => listener(api).send('GET', `/s/${tokenOf(shared)}/card.png`);
const oembedOf = (address: string, more = '') =>
  listener(api).send('GET', `/oembed?url=${encodeURIComponent(address)}${more}`);

beforeEach(async () => {
  api = await apiUnderTest(await freshDatabase());
  owner = await api.signIn();
  ({ recordingId } = await recordTake(api, owner, 4));
});

describe('the card', () => {
  it('is a PNG that other sites may show, only where the link allows previews', async () => {
    const { statusCode, headers, rawPayload } = await cardOf(await made({ preview: 'text' }));
    expect([statusCode, headers['content-type']]).toEqual([200, 'image/png']);
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect([rawPayload.readUInt32BE(16), rawPayload.readUInt32BE(20)]).toEqual([1200, 630]);
    expect((await cardOf(await made())).statusCode).toBe(404);
    expect((await cardOf(await made({ preview: 'text', password: goodLinkPassword }))).statusCode).toBe(401);
  });
});

describe('oEmbed', () => {
  it('describes a link that may be embedded, with its title only where previews are allowed', async () => {
    const shared = await made({ embed: 'any', title: 'Vows' });
    const { statusCode, body } = await oembedOf(shared.url ?? '');
    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toMatchObject({
      version: '1.0',
      type: 'rich',
      html: expect.stringContaining(`src="http://localhost/embed/${tokenOf(shared)}"`),
    });
    expect(body).not.toContain('Vows');
    const named = await made({ embed: 'any', title: 'Vows', preview: 'text' });
    expect((await oembedOf(named.url ?? '')).json()).toMatchObject({ title: 'Vows' });
  });

  it('answers in XML too', async () => {
    const { headers, body } = await oembedOf((await made({ embed: 'any' })).url ?? '', '&format=xml');
    expect(headers['content-type']).toBe('text/xml; charset=utf-8');
    expect(body).toContain('<type>rich</type>');
  });

  it('S34: knows nothing of a link that may not be embedded, has ended, or is not ours', async () => {
    const shared = await made();
    const ended = await made({ embed: 'any' });
    await api.as(owner, { method: 'DELETE', url: `/api/shares/${ended.id}` });
    for (const address of [
      shared.url ?? '',
      ended.url ?? '',
      'http://localhost/s/9XjzCkS8kQwMYdqsYYtCfd',
      `http://evil.example/s/${tokenOf(shared)}`,
      'http://localhost/library',
    ]) {
      const response = await oembedOf(address);
      expect([address, response.statusCode, rejection(response).code]).toEqual([
        address,
        404,
        'link-not-found',
      ]);
    }
  });

  it('is limited for a network that asks for unknown links', async () => {
    const answers: number[] = [];
    for (let count = 0; count < 70; count += 1)
      answers.push((await oembedOf('http://localhost/s/9XjzCkS8kQwMYdqsYYtCfd')).statusCode);
    expect(answers.filter((status) => status === 404)).toHaveLength(60);
    expect(answers.at(-1)).toBe(429);
  });
});
