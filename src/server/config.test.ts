import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

describe('the configuration', () => {
  test('needs nothing: everything has a default, and an empty variable counts as none', () => {
    expect(readConfig({ PORT: '', PUBLIC_URL: '' })).toEqual({
      host: '127.0.0.1', port: 3000, dataDir: './data', publicUrl: 'http://localhost:3000', databaseUrl: '', trustedProxyHops: 0, signUp: 'open', logLevel: 'warn', metricsToken: '',
    });
  });

  test('names every mistake at once', () => {
    const environment = { PORT: '70000', PUBLIC_URL: 'http://earshot.example', DATABASE_URL: 'mysql://x', SIGN_UP: 'maybe', LOG_LEVEL: 'loud', TRUSTED_PROXY_HOPS: '-1' };
    expect(() => readConfig(environment)).toThrow(ConfigError);
    for (const name of Object.keys(environment)) expect(() => readConfig(environment)).toThrow(`  ${name} must`);
  });

  test.for(['https://earshot.example', 'http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:3000', 'https://earshot.example/'])('takes %s as an address', (url) => {
    expect(readConfig({ PUBLIC_URL: url }).publicUrl).toBe(new URL(url).origin);
  });

  test.for(['earshot.example', 'ftp://earshot.example', 'http://192.168.1.4:3000', 'https://earshot.example/sub', 'https://earshot.example/?a=1'])('refuses %s as an address', (url) => {
    expect(() => readConfig({ PUBLIC_URL: url })).toThrow(/PUBLIC_URL must/);
  });
});
