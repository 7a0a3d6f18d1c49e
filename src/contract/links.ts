/** Pages that mails and handed-over links lead to. The token stands in the fragment, `/reset-password#<token>`: it reaches no log and no referrer. */
export const linkPaths = { resetPassword: '/reset-password', undoEmailChange: '/undo-email-change' } as const;
