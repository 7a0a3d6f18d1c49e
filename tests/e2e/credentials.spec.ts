import type { Page } from '@playwright/test';
import { openBrowser, expect, test } from './earshot-test.ts';
import {
  ageProofs,
  changeDatabase,
  confirmWithPassword,
  createAccount,
  isSignedIn,
  newUser,
  onlyReadyRecording,
  signIn,
  signOut,
  signUp,
  startTake,
  stopTake,
  untilClock,
} from './steps.ts';
import { totpCode, totpStepAt } from '#server/features/accounts/credentials/totp-code.ts';

/**
 * Adds a virtual authenticator that stores passkeys and verifies the user automatically. It also answers a field's
 * passkey autofill without a press (CDP WebAuthn).
 */
async function giveAuthenticator(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/**
 * Turns passkey autofill off, as in browsers without it. With autofill the page signs in before the test can press
 * a button.
 */
async function offerNothingInFields(page: Page): Promise<void> {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
  });
}

/** Backdates the last accepted TOTP step, as if a minute had passed. Each code is accepted only once. */
const ageCodes = (dataDir: string): void =>
  changeDatabase(dataDir, 'UPDATE totp SET last_step = last_step - 2');

/** RFC 4648 §6. */
function bytesOfBase32(text: string): Uint8Array {
  const bits = Array.from(text.replaceAll(' ', ''), (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('');
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}

/** Turns on two-step sign-in through the screen. Returns the recovery codes and the authenticator app's secret. */
async function turnTwoStepOn(page: Page): Promise<{ codes: string[]; secret: Uint8Array }> {
  await page.goto('/settings/security');
  await page.getByRole('button', { name: 'Turn on', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const secret = bytesOfBase32(await dialog.locator('code').innerText());
  await dialog
    .getByRole('textbox', { name: 'Code from the app' })
    .fill(totpCode(secret, totpStepAt(Date.now())));
  await dialog.getByRole('button', { name: 'Turn on', exact: true }).click();
  const shown = page.getByRole('alertdialog');
  await expect(shown.getByRole('listitem')).toHaveCount(10);
  const codes = await shown.getByRole('listitem').allInnerTexts();
  await shown.getByRole('button', { name: 'I’ve saved them' }).click();
  await expect(page.getByText('10 recovery codes are left.')).toBeVisible();
  return { codes, secret };
}

test('a passkey is added in the settings, signs in without a password, is renamed and removed', async ({
  page,
}) => {
  await giveAuthenticator(page);
  await offerNothingInFields(page);
  await createAccount(page.context());
  await page.goto('/settings/security');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await expect(page.getByText('Passkey added.')).toBeVisible();
  await expect(page.getByText('A passkey was added to your Earshot account.')).toBeVisible();
  await signOut(page);

  await page.goto('/sign-in');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL(/\/library$/);
  await expect.poll(() => isSignedIn(page)).toBe(true);

  await page.goto('/settings/security');
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('The old laptop');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The old laptop')).toBeVisible();
  await page.getByRole('button', { name: 'Actions for The old laptop' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('The old laptop')).toHaveCount(0);
});

test('a passkey creates an account without a password, and signs in through autofill without a press', async ({
  page,
}) => {
  await giveAuthenticator(page);
  await page.goto('/sign-up');
  await page.getByRole('button', { name: 'Use a passkey instead of a password' }).click();
  await page.getByRole('textbox', { name: 'Email' }).fill(newUser().email);
  await page.getByRole('button', { name: 'Create an account with a passkey' }).click();
  await expect(page).toHaveURL(/\/library$/);
  await signOut(page);

  await page.goto('/sign-in');
  await expect(page).toHaveURL(/\/library$/);
  await expect.poll(() => isSignedIn(page)).toBe(true);
});

test("two-step sign-in accepts the authenticator app's code, and each recovery code only once", async ({
  page,
  server,
  consoleGuard,
}) => {
  consoleGuard.allow(/40[13]|422/);
  const user = await createAccount(page.context());
  const {
    codes: [first = '', second = ''],
    secret,
  } = await turnTwoStepOn(page);
  await signOut(page);

  const giveFirstStep = async () => {
    await page.goto('/sign-in');
    await page.getByRole('textbox', { name: 'Email' }).fill(user.email);
    await page.getByLabel('Password', { exact: true }).fill(user.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  await giveFirstStep();
  ageCodes(server.dataDir);
  await page
    .getByRole('textbox', { name: 'Code', exact: true })
    .fill(totpCode(secret, totpStepAt(Date.now())));
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(page).toHaveURL(/\/library$/);
  await signOut(page);

  const giveRecoveryCode = async (code: string) => {
    await page.getByRole('textbox', { name: 'Recovery code' }).fill(code);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  };
  await giveFirstStep();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await giveRecoveryCode(first);
  await expect(page).toHaveURL(/\/library$/);
  await signOut(page);

  await giveFirstStep();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await giveRecoveryCode(first);
  await expect(page.getByRole('textbox', { name: 'Recovery code' })).toHaveAttribute('aria-invalid', 'true');
  await giveRecoveryCode(second);
  await expect(page).toHaveURL(/\/library$/);
  await page.goto('/settings/security');
  await expect(page.getByText('8 recovery codes are left.')).toBeVisible();
});

test('a sensitive change asks the user to confirm their identity, then resumes; cancelling changes nothing', async ({
  page,
  server,
  consoleGuard,
}) => {
  consoleGuard.allow(/403/);
  const user = await createAccount(page.context());
  await page.goto('/settings/security');
  ageProofs(server.dataDir);
  await page.getByRole('button', { name: 'Turn on', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Confirm it’s you' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText(/nothing was changed/)).toBeVisible();
  await page.getByRole('button', { name: 'Turn on', exact: true }).click();
  await confirmWithPassword(page, user);
  await expect(page.getByRole('heading', { name: 'Turn on two-step sign-in' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Confirm it’s you' })).toHaveCount(0);
});

test('a device signed out remotely finishes its running take, uploads it, and then asks to sign in', async ({
  page,
  server,
  profile,
  consoleGuard,
}) => {
  consoleGuard.allow(/401/);
  const user = await signUp(page);
  const other = await openBrowser({ profile: `${profile}-other`, baseURL: server.url });
  const there = other.pages()[0] ?? (await other.newPage());
  await signIn(there, user);
  await there.goto('/');
  await startTake(there);
  await untilClock(there, 1500);

  await page.goto('/settings/devices');
  await page
    .getByRole('button', { name: /^Sign out \S/ })
    .first()
    .click();
  await expect(
    page.getByRole('checkbox', { name: /Let the recording in progress on .+ finish/ }),
  ).toBeChecked();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByText('Signed out on that device.')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Signed in' })).toHaveCount(1);
  await expect.poll(() => isSignedIn(there)).toBe(false);
  await untilClock(there, 4000);
  await expect(there.getByRole('dialog')).toHaveCount(0);
  await stopTake(there);
  await expect(there.getByRole('dialog')).toBeVisible();
  expect((await onlyReadyRecording(page)).durationMs).toBeGreaterThanOrEqual(4000);
  await other.close();
});

test('deletes an account after its owner has read what goes and typed the address; no tab asks to sign in', async ({
  page,
  browserContext,
}) => {
  const user = await createAccount(page.context());
  const other = await browserContext.newPage();
  const isConnected = other.waitForResponse((response) => new URL(response.url()).pathname === '/api/events');
  await other.goto('/library');
  await isConnected;
  await page.goto('/settings/profile');
  await page.getByRole('button', { name: 'Delete account…' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog.getByText('You have no recordings on this server.')).toBeVisible();
  const confirmation = dialog.getByRole('textbox', { name: /Type your email address/ });
  await confirmation.fill('yes');
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(dialog.getByText('The text doesn’t match.')).toBeVisible();
  await confirmation.fill(user.email);
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(page.getByText('Your account has been deleted.')).toBeVisible();
  await expect.poll(() => isSignedIn(page)).toBe(false);
  await other.bringToFront();
  await expect(other.getByRole('button', { name: 'Sign in', exact: true }).first()).toBeVisible();
  for (const tab of [page, other]) await expect(tab.getByRole('dialog')).toHaveCount(0);
});
