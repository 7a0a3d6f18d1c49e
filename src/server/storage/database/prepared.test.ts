import { expect, test } from 'vitest';
import { eachDatabase } from '#tests/support/databases.ts';
import { storeUser } from '#tests/support/factories.ts';
import { isOneOf, prepared } from './prepared.ts';

eachDatabase((_, open) => {
  test('one text finds the rows of any number of keys', async () => {
    const { queries } = await open();
    const ids: string[] = [];
    for (let user = 0; user < 3; user += 1) ids.push((await storeUser(queries)).id);
    const find = (some: readonly string[]) =>
      queries
        .selectFrom('users')
        .select('id')
        .where((eb) => isOneOf(queries, eb.ref('id'), some))
        .orderBy('id')
        .modifyEnd(prepared);
    const found = async (some: readonly string[]) => (await find(some).execute()).map(({ id }) => id);
    expect(find(ids).compile().sql).toBe(find([]).compile().sql);
    expect(await found(ids)).toEqual(ids.toSorted());
    expect(await found([ids[1] ?? '', `"',{}`])).toEqual([ids[1]]);
    expect(await found([])).toEqual([]);
  });
});
