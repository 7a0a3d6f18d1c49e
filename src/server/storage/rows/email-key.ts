/** The form in which email addresses are compared: NFKC and lower case. */
export const emailKeyOf = (email: string): string => email.trim().normalize('NFKC').toLowerCase();
