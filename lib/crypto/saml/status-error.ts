/** The provider reports that the login failed. */
export class StatusError extends Error {}
