import type {} from '@fastify/cookie';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { day, hour, second } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';
import { cookieName, sessionCookieName } from '#server/http/session-cookie.ts';

const deviceCookieMs = 400 * day;
/** Outlives every flow that is bound to it. */
const flowCookieMs = hour;
const flowPattern = /^[\w-]{43}$/;

/**
 * The cookies of one installation: the session, the known device, and the browser that started a flow. All are
 * HttpOnly.
 */
export class AccountCookies {
  readonly #sessionName: string;
  readonly #deviceName: string;
  readonly #flowName: string;
  readonly #attributes: { path: '/'; httpOnly: true; sameSite: 'strict'; secure: boolean };

  constructor(publicUrl: string) {
    const secure = publicUrl.startsWith('https:');
    this.#sessionName = sessionCookieName(publicUrl);
    this.#deviceName = cookieName('device', publicUrl);
    this.#flowName = cookieName('flow', publicUrl);
    this.#attributes = { path: '/', httpOnly: true, sameSite: 'strict', secure };
  }

  /** Returns the session token of a request, or null. */
  sessionToken(request: FastifyRequest): string | null {
    return request.cookies[this.#sessionName] ?? null;
  }

  /** Sets the session cookie. Without `remember` it is a session cookie, which the browser deletes on exit. */
  setSession(reply: FastifyReply, token: string, options: { remember: boolean }): void {
    reply.setCookie(this.#sessionName, token, {
      ...this.#attributes,
      ...(options.remember ? { maxAge: limits.session.absoluteMs / second } : {}),
    });
  }

  /** Deletes the session cookie. */
  clearSession(reply: FastifyReply): void {
    reply.clearCookie(this.#sessionName, this.#attributes);
  }

  /** Returns the flow cookie of the browser, or null if it has none. */
  flowBrowser(request: FastifyRequest): string | null {
    const name = request.cookies[this.#flowName] ?? '';
    return flowPattern.test(name) ? name : null;
  }

  /** Returns the flow cookie and creates it if necessary. Only the browser that started a flow can continue it. */
  nameFlowBrowser(request: FastifyRequest, reply: FastifyReply): string {
    const name = this.flowBrowser(request) ?? randomBytes(32).toString('base64url');
    reply.setCookie(this.#flowName, name, { ...this.#attributes, maxAge: flowCookieMs / second });
    return name;
  }

  /**
   * Returns the device's id if this device has signed in to the account with this password hash before, otherwise
   * null.
   */
  knownDevice(request: FastifyRequest, passwordHash: string | null): string | null {
    const [name, proof] = (request.cookies[this.#deviceName] ?? '').split('.');
    if (name === undefined || proof === undefined || passwordHash === null) return null;
    const expected = Buffer.from(deviceProof(name, passwordHash));
    const given = Buffer.from(proof);
    return expected.length === given.length && timingSafeEqual(expected, given) ? name : null;
  }

  /** Marks this device as known to the account. Only the cookie stores this; a new password invalidates it. */
  rememberDevice(reply: FastifyReply, passwordHash: string): void {
    const name = randomBytes(16).toString('base64url');
    reply.setCookie(this.#deviceName, `${name}.${deviceProof(name, passwordHash)}`, {
      ...this.#attributes,
      maxAge: deviceCookieMs / second,
    });
  }
}

/** Only the server knows the stored hash, so only the server can compute the proof. */
const deviceProof = (name: string, passwordHash: string): string =>
  createHmac('sha256', passwordHash).update(`device ${name}`).digest('base64url');
