import { expect, it } from 'vitest';
import { day } from '#base/duration.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { storeEndedLinks } from './ended-links.ts';

eachDatabase((_name, open) => {
  it('stores the end of more links than one statement has parameters for, each once', async () => {
    const { queries } = await open();
    const links = Array.from({ length: 23_000 }, (_, index) => ({
      token_hash: `hash ${index}`,
      reason: 'revoked' as const,
    }));
    await queries
      .insertInto('ended_links')
      .values({ token_hash: 'hash 7', reason: 'expired', expires_at: 9 })
      .execute();
    await storeEndedLinks(queries, links, 1000);
    const { count } = await queries
      .selectFrom('ended_links')
      .select((eb) => eb.fn.countAll<number | string>().as('count'))
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(links.length);
    const some = await queries
      .selectFrom('ended_links')
      .select(['reason', 'expires_at'])
      .where('token_hash', 'in', ['hash 7', 'hash 22999'])
      .orderBy('token_hash')
      .execute();
    expect(some).toEqual([
      { reason: 'revoked', expires_at: 1000 + 30 * day },
      { reason: 'expired', expires_at: 9 },
    ]);
  });

  it('stores nothing for no links', async () => {
    const { queries } = await open();
    await storeEndedLinks(queries, [], 1000);
    expect(await queries.selectFrom('ended_links').selectAll().execute()).toEqual([]);
  });
});
