/** A headless browser for a provider's pages: stores cookies, follows redirects, submits forms. */
export class WebVisitor {
  readonly #cookies = new Map<string, Map<string, string>>();
  readonly #fetch: typeof fetch;

  constructor(network: typeof fetch = fetch) {
    this.#fetch = network;
  }

  async #request(url: URL, init: RequestInit = {}): Promise<Response> {
    const jar = this.#cookies.get(url.host) ?? new Map<string, string>();
    this.#cookies.set(url.host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await this.#fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...(cookie === '' ? {} : { cookie }), ...Object.fromEntries(new Headers(init.headers)) },
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split(/=(.*)/s);
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  /** Follows pages until `isThere` and returns that URL. Submits `user` where a page asks for a choice. */
  async goUntil(isThere: (url: URL) => boolean, from: string, user: string): Promise<URL> {
    let url = new URL(from);
    let init: RequestInit = {};
    for (let step = 0; step < 20; step += 1) {
      if (isThere(url)) return url;
      const response = await this.#request(url, init);
      const location = response.headers.get('location');
      init = {};
      if (location !== null) url = new URL(location, url);
      else if (response.ok && (await response.text()).includes('name="user"'))
        init = { method: 'POST', body: new URLSearchParams({ user }) };
      else throw new Error(`${url.href} answered ${response.status} and leads nowhere`);
    }
    throw new Error('went in circles');
  }
}
