/** What the demo prints when it is ready. `processId` is the server's. */
export const demoInstructions = ({
  url,
  processId,
}: {
  url: string;
  processId: number | undefined;
}): string =>
  `The Earshot demo is ready at ${url}. Press Ctrl+C to end it and delete its data.

  Sign in:        Select "Demo provider", then Ada (who has recordings) or Karim.
  Kill it:        "A lecture, recording now" is being recorded. Open it, then run: kill -9 ${processId}
                  The server starts again, and the recording continues without a gap.
                  Or record something yourself, and close the tab in the middle.
  Link accounts:  Create an account with a password. Then link Demo provider in Settings › Sign-in and security.
  Held requests:  Sign in as Ada in two browsers. In one, sign the other out in Settings › Devices.
                  In the other, rename a recording and sign in again: the new name is there.`;
