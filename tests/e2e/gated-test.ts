import type { BrowserContext, Page } from '@playwright/test';
import { startLocalIssuer } from '#scripts/demo/local-issuer.ts';
import { freePort } from '#scripts/free-port.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { GateProxy, nginx, type GateKind } from '#tests/support/gate-proxy.ts';
import { expect, openBrowser, test as base } from './earshot-test.ts';
import { choosePage, people } from './provider-test.ts';

/** A real nginx with a server behind it, and an identity provider beside it. */
export interface GatedServer {
  url: string;
  proxy: GateProxy;
}

export interface Gated extends GatedServer {
  page: Page;
  context: BrowserContext;
}

const secret = 'between the village and us';

/** Runs a server behind nginx for the duration of `use`. */
export async function withGatedServer(
  gateKind: GateKind,
  use: (gated: GatedServer) => Promise<void>,
): Promise<void> {
  const [port, issuerPort] = [await freePort(), await freePort()];
  const publicUrl = `${gateKind === 'tls' ? 'https' : 'http'}://localhost:${port}`;
  const issuer = await startLocalIssuer({
    port: issuerPort,
    people,
    choosePage,
    client: {
      clientId: 'earshot',
      clientSecret: secret,
      redirectUris: [`${publicUrl}/auth/village/callback`],
    },
  });
  const server = await EarshotServer.launch({
    PUBLIC_URL: publicUrl,
    TRUSTED_PROXY_HOPS: '1',
    OIDC_VILLAGE_ISSUER: issuer.issuer,
    OIDC_VILLAGE_CLIENT_ID: 'earshot',
    OIDC_VILLAGE_CLIENT_SECRET: secret,
    OIDC_VILLAGE_NAME: 'Village ID',
    OIDC_VILLAGE_TRUST_EMAIL: 'true',
  });
  const proxy = await GateProxy.start(gateKind, {
    port,
    serverUrl: server.url.replace('localhost', '127.0.0.1'),
  });
  await use({ url: proxy.url, proxy });
  await proxy.end();
  await server.dispose();
  await issuer.stop();
}

/** A browser in front of that nginx. */
export const test = base.extend<{ gateKind: GateKind; gated: Gated }>({
  gateKind: ['plain', { option: true }],
  gated: async ({ gateKind, profile }, use) => {
    await withGatedServer(gateKind, async (gated) => {
      const context = await openBrowser({
        profile,
        baseURL: gated.url,
        serviceWorkers: 'allow',
        ...(gated.proxy.keyFingerprint === null ? {} : { trustedKey: gated.proxy.keyFingerprint }),
      });
      await use({ ...gated, context, page: context.pages()[0] ?? (await context.newPage()) });
      await context.close();
    });
  },
});

test.skip(nginx === null, 'nginx is not installed, so authenticating proxies are not tested');

export const gateKinds = ['plain', 'tls', 'basic', 'redirect', 'unauthorized'] as const;

/** The first URL that a user opens: the proxy's own sign-in, where it has one. */
export const firstAddress = (gateKind: GateKind, url: string): string => {
  if (gateKind === 'basic') return url.replace('http://', 'http://ann:open%20sesame@');
  return gateKind === 'redirect' || gateKind === 'unauthorized' ? `${url}/gate/sign-in?to=/` : url;
};

export { expect };
