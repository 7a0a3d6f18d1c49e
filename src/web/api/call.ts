import type { Api } from '#contract/api.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { routeOf, type RouteName, routes } from '#contract/routes.ts';
import { answerOrError } from './api-error.ts';
import {
  addressOf,
  sendCall,
  type AddressInput,
  type CallInput,
  type OptionalWhereEmpty,
} from './first-call.ts';
import { readUnlessLeaving } from '#web/api/connection/read-unless-leaving.ts';
import { request } from './request.ts';

export type { CallInput } from './first-call.ts';

/** The URL of a call, for `<audio src>` and download links. */
export function urlOf<Name extends RouteName>(
  name: Name,
  ...[input]: OptionalWhereEmpty<AddressInput<Name>>
): string {
  return addressOf(routeOf(name), input);
}

/**
 * Makes one call of the contract and returns its reply. The first screen uses `firstCall`, because this loads every
 * route.
 * @throws ApiError: the problem's code; `offline`, `gate-closed` or `server-unreachable` if the server did not
 * respond; the hold's code if the held request was rejected. An abort throws its own reason.
 */
export const call = <Name extends RouteName>(
  name: Name,
  ...[input]: OptionalWhereEmpty<CallInput<Name>>
): Promise<ReplyOf<Api[Name]>> =>
  readsUserData(routeOf(name))
    ? readUnlessLeaving(input?.signal, (signal) => sendCall(name, routes[name], { ...input, signal }))
    : sendCall(name, routes[name], input);

/** Whether a call reads data of the user. Deleting the account needs those below `/auth/` while it is under way. */
const readsUserData = ({ method, path }: { method: string; path: string }): boolean =>
  method === 'GET' && path.startsWith('/api/');

/**
 * Makes a call whose reply is bytes (peaks, audio). `range` is the value of a `Range` header. Throws as `call`
 * does.
 */
export function callForBytes<Name extends RouteName>(
  name: Name,
  input: AddressInput<Name> & { range?: string | undefined; signal?: AbortSignal | undefined },
): Promise<Response> {
  const { range } = input;
  const headers: Record<string, string> = range === undefined ? {} : { range };
  const route = routeOf(name);
  return readUnlessLeaving(input.signal, (signal) =>
    answerOrError(() => request(addressOf(route, input), { method: route.method, headers, signal })),
  );
}
