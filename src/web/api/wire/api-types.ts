import type * as accounts from '#contract/accounts-api.ts';
import type * as administration from '#contract/administration-api.ts';
import type * as credentials from '#contract/credentials-api.ts';
import type * as events from '#contract/events-api.ts';
import type * as labels from '#contract/labels-api.ts';
import type * as library from '#contract/library-api.ts';
import type * as takingAway from '#contract/exports-api.ts';
import type * as markers from '#contract/markers-api.ts';
import type * as positions from '#contract/positions-api.ts';
import type * as notes from '#contract/notes-api.ts';
import type * as providers from '#contract/providers-api.ts';
import type * as recordings from '#contract/recordings-api.ts';
import type * as restoring from '#contract/restores-api.ts';
import type * as storage from '#contract/storage-api.ts';
import type * as uploads from '#contract/uploads-api.ts';

type Contract = typeof accounts &
  typeof credentials &
  typeof administration &
  typeof providers &
  typeof recordings &
  typeof uploads &
  typeof storage &
  typeof markers &
  typeof notes &
  typeof positions &
  typeof labels &
  typeof library &
  typeof events &
  typeof takingAway &
  typeof restoring;

/**
 * Every call of the contract by its name. Types only: the schemas weigh 25 kB, and the server is the one to
 * check them.
 */
export type Api = {
  [
    Name in keyof Contract as Contract[Name] extends { method: string; path: string; access: string }
      ? Name
      : never
  ]: Contract[Name];
};
export type CallName = keyof Api;

/** Where a call goes. A method, a path or a name that differs from the contract's does not compile. */
export type WireRoute<E> = E extends { method: infer Method; path: infer Path }
  ? { method: Method; path: Path }
  : never;
