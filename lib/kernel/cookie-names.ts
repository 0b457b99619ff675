/** The cookies of this server, without their prefix (lib/http/cookies.ts). */
export const COOKIE_NAMES = [
  /** The session at this server. */
  'session',
  /** Binds a login to the browser that began it (lib/login/browser.ts). */
  'browser',
  /** A browser that needs no second factor for a while (lib/login/flow/known-browser.ts). */
  'known',
  /** A browser in which an account signed in before: its guesses are counted apart (lib/login/flow/recognized-browser.ts). */
  'recognized',
  /** The push device of a page that stands for one (lib/server/endpoints/hosted/push-device.ts). */
  'device',
  /** A cross-origin login, for one minute. */
  'co',
  /** A passkey was offered lately, so it is not offered again. */
  'passkey',
  /** The accounts that the login page offers (lib/login/flow/remembered-accounts.ts). */
  'accounts',
  /** The last test of a login that this browser began (lib/data/login-tests/login-test.ts). */
  'test',
] as const

export type CookieName = (typeof COOKIE_NAMES)[number]
