import type {} from '@fastify/cookie';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { day, hour, second } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';
import { cookieName, sessionCookieName } from '#server/http/session-cookie.ts';

const deviceCookieMs = 400 * day;
/** Longer than any step that is bound to it. */
const flowCookieMs = hour;
const flowPattern = /^[\w-]{43}$/;

/**
 * The cookies of one installation: who is signed in, whose device this is known to be, and which browser
 * began a step. All are out of reach of scripts.
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

  /** The token a request brought. */
  sessionToken(request: FastifyRequest): string | null {
    return request.cookies[this.#sessionName] ?? null;
  }

  /** Hands a new token out; without `remember` it goes when the browser closes. */
  setSession(reply: FastifyReply, token: string, options: { remember: boolean }): void {
    reply.setCookie(this.#sessionName, token, {
      ...this.#attributes,
      ...(options.remember ? { maxAge: limits.session.absoluteMs / second } : {}),
    });
  }

  /** Takes the token back. */
  clearSession(reply: FastifyReply): void {
    reply.clearCookie(this.#sessionName, this.#attributes);
  }

  /** The name of the browser for the steps that it started; null where it started none. */
  flowBrowser(request: FastifyRequest): string | null {
    const name = request.cookies[this.#flowName] ?? '';
    return flowPattern.test(name) ? name : null;
  }

  /** The same, with a new name where there is none: only the browser that started a step can continue it. */
  nameFlowBrowser(request: FastifyRequest, reply: FastifyReply): string {
    const name = this.flowBrowser(request) ?? randomBytes(32).toString('base64url');
    reply.setCookie(this.#flowName, name, { ...this.#attributes, maxAge: flowCookieMs / second });
    return name;
  }

  /**
   * The name of this device if it once signed in to the account with this password hash; null for any other.
   */
  knownDevice(request: FastifyRequest, passwordHash: string | null): string | null {
    const [name, proof] = (request.cookies[this.#deviceName] ?? '').split('.');
    if (name === undefined || proof === undefined || passwordHash === null) return null;
    const expected = Buffer.from(deviceProof(name, passwordHash));
    const given = Buffer.from(proof);
    return expected.length === given.length && timingSafeEqual(expected, given) ? name : null;
  }

  /**
   * Makes this device one that the account is known to use. Kept by the browser alone; a new password ends
   * it.
   */
  rememberDevice(reply: FastifyReply, passwordHash: string): void {
    const name = randomBytes(16).toString('base64url');
    reply.setCookie(this.#deviceName, `${name}.${deviceProof(name, passwordHash)}`, {
      ...this.#attributes,
      maxAge: deviceCookieMs / second,
    });
  }
}

/** Only the server knows the stored hash, so only the server can make the proof. */
const deviceProof = (name: string, passwordHash: string): string =>
  createHmac('sha256', passwordHash).update(`device ${name}`).digest('base64url');
