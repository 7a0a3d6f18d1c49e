/** Nothing below these is ever a page of the app, and no page has an empty part in its path. */
export const notPages = /^\/(api|auth|assets)(\/|$)|\/\//;
