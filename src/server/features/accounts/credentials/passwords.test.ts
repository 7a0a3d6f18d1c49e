import { describe, expect, it } from 'vitest';
import { ProblemError } from '#server/http/problem.ts';
import { Passwords } from './passwords.ts';

const cheap = { memoryCost: 256, timeCost: 1, parallelism: 1 };

describe('passwords', () => {
  it('are hashed with argon2id at 46 MiB, one pass, one lane, each with a random salt', async () => {
    const passwords = new Passwords();
    const [first, second] = [
      await passwords.hash('kettle river umbrella noon'),
      await passwords.hash('kettle river umbrella noon'),
    ];
    expect(first).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/);
    expect(first).not.toBe(second);
    expect(await passwords.verify(first, 'kettle river umbrella noon')).toBe(true);
  });

  it('match exactly: case, spaces and every character count', async () => {
    const passwords = new Passwords(cheap);
    const hash = await passwords.hash('Kettle river');
    for (const other of [
      'kettle river',
      'Kettle river ',
      ' Kettle river',
      'Kettle  river',
      'Kettle rive',
      '',
    ])
      expect(await passwords.verify(hash, other)).toBe(false);
  });

  it('match in every Unicode form', async () => {
    const passwords = new Passwords(cheap);
    const hash = await passwords.hash('Ä ﬁn ½');
    expect(await passwords.verify(hash, 'Ä ﬁn ½'.normalize('NFD'))).toBe(true);
    expect(await passwords.verify(hash, 'Ä fin 1⁄2')).toBe(true);
  });

  it('never match an unknown user', async () => {
    expect(await new Passwords(cheap).verify(null, 'anything at all')).toBe(false);
  });

  it('are outdated after a change of the cost', async () => {
    const hash = await new Passwords(cheap).hash('x');
    expect(new Passwords(cheap).isOutdated(hash)).toBe(false);
    expect(new Passwords({ ...cheap, timeCost: 2 }).isOutdated(hash)).toBe(true);
  });

  it('are rejected when too many are queued', async () => {
    const passwords = new Passwords(cheap);
    const results = await Promise.allSettled(Array.from({ length: 400 }, () => passwords.hash('x')));
    const rejected = results.filter((result) => result.status === 'rejected');
    expect(rejected.length).toBeGreaterThan(0);
    for (const { reason } of rejected)
      expect(reason).toMatchObject({ code: 'rate-limited', retryAfterSeconds: 2 });
    expect(rejected[0]?.reason).toBeInstanceOf(ProblemError);
    expect(await passwords.hash('after the rush')).toContain('$argon2id$');
  });
});
