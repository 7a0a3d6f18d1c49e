import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { ProblemError } from '#server/http/problem.ts';
import { Passwords } from './passwords.ts';

const ann = { purpose: 'sign-in', client: 'ann' } as const;
const cheap = { memoryCost: 256, timeCost: 1, parallelism: 1 };

describe('passwords', () => {
  it('are hashed with argon2id at 46 MiB, one pass, one lane, each with a random salt', async () => {
    const passwords = new Passwords();
    const [first, second] = [
      await passwords.hash('kettle river umbrella noon', ann),
      await passwords.hash('kettle river umbrella noon', ann),
    ];
    expect(first).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/);
    expect(first).not.toBe(second);
    expect(await passwords.verify(first, 'kettle river umbrella noon', ann)).toBe(true);
  });

  it('match exactly: case, spaces and every character count', async () => {
    const passwords = new Passwords(cheap);
    const hash = await passwords.hash('Kettle river', ann);
    for (const other of [
      'kettle river',
      'Kettle river ',
      ' Kettle river',
      'Kettle  river',
      'Kettle rive',
      '',
    ])
      expect(await passwords.verify(hash, other, ann)).toBe(false);
  });

  it('match in every Unicode form', async () => {
    const passwords = new Passwords(cheap);
    const hash = await passwords.hash('Ä ﬁn ½', ann);
    expect(await passwords.verify(hash, 'Ä ﬁn ½'.normalize('NFD'), ann)).toBe(true);
    expect(await passwords.verify(hash, 'Ä fin 1⁄2', ann)).toBe(true);
  });

  it('never match an unknown user', async () => {
    expect(await new Passwords(cheap).verify(null, 'anything at all', ann)).toBe(false);
  });

  it('are outdated after a change of the cost', async () => {
    const hash = await new Passwords(cheap).hash('x', ann);
    expect(new Passwords(cheap).isOutdated(hash)).toBe(false);
    expect(new Passwords({ ...cheap, timeCost: 2 }).isOutdated(hash)).toBe(true);
  });

  it('are rejected when too many are queued', async () => {
    const passwords = new Passwords(cheap);
    const results = await Promise.allSettled(Array.from({ length: 400 }, () => passwords.hash('x', ann)));
    const rejected = results.filter((result) => result.status === 'rejected');
    expect(rejected.length).toBeGreaterThan(0);
    for (const { reason } of rejected)
      expect(reason).toMatchObject({ code: 'rate-limited', retryAfterSeconds: 2 });
    expect(rejected[0]?.reason).toBeInstanceOf(ProblemError);
    expect(await passwords.hash('after the rush', ann)).toContain('$argon2id$');
  });

  it('of a sign-in come before those of links, however many wait', async () => {
    const passwords = new Passwords(cheap);
    const done: string[] = [];
    const links = Array.from({ length: 128 }, async (_, index) => {
      await passwords.hash('x', { purpose: 'link', client: `owner ${index % 4}` }).catch(() => null);
      done.push('link');
    });
    await passwords.hash('x', ann);
    // Those that already ran, and as many that ended in the same moment.
    expect(done.length).toBeLessThanOrEqual(2 * availableParallelism());
    await Promise.all(links);
  });

  it('see what changed while they waited', async () => {
    const beforeHashing = () => Promise.reject(new Error('locked meanwhile'));
    await expect(new Passwords(cheap).verify(null, 'x', { ...ann, beforeHashing })).rejects.toThrow(
      'locked meanwhile',
    );
  });
});
