// Every kind of ticket, and what it is bound to. The look-up of tickets (lib/adapters/store/sql/tickets.ts) decides by that, so nothing deletes
// tickets where something ends (threat-model.md BF19, BF26, ADR 45).
//
// | bound to | ends, beside its use, its expiry and a newer one of its kind and subject, |
// |---|---|
// | `flow` | with nothing: it holds no right over an account |
// | `account` | with the row of the account, a new password, a block, or a manager's recovery |
// | `undo` | with the row of the account, a block, or a manager's recovery: a new password may be an intruder's |
// | `session` | as `account`, and with the session or token family that it was made from; it opens in that session and client alone |
// | `maker` | with nothing but its maker's right |
//
// Whatever its bond, a link that a manager made ends with the manager's right to make it (`LinkMaker` in ticket.ts).
//
// Other secrets that carry rights are no tickets, and need no bond:
// - An invitation to an organization is a row that is deleted with the organization and ends with its maker's right; the person who accepts
//   it signs in.
// - A one-time code, or a link in its place, proves an address for minutes; the login that it continues judges the account.
// - A link that lifts a block for wrong guesses lifts one block of one account, once, and authenticates no one.
// - The approval of a device is void after a sign-out everywhere (`not_before`).
// - A step of a login, and a challenge of a second factor, belong to a login, which ends with all logins of its user.
// - The ceremony of a passkey is sealed for one person and one login or client, for minutes, and used in a signed-in call.

export type Bond = 'flow' | 'account' | 'undo' | 'session' | 'maker'

export const BONDS = {
  // Between this server, a browser, applications and providers.
  'pushed-request': 'flow',
  upstream: 'flow',
  'upstream-reply': 'flow',
  'upstream-unsolicited': 'flow',
  'upstream-logout': 'flow',
  'saml-logout': 'flow',
  'saml-provider-logout': 'flow',

  // Proofs on their way to a login, and links in mails or in the hands of managers.
  login: 'account',
  'reset-password': 'account',
  'verify-email': 'account',
  'mfa-enrollment': 'account',
  'mfa-device': 'account',
  'restore-email': 'undo',

  // Steps inside a page of the portal, and of the My Account API.
  'portal-password': 'session',
  'portal-enrollment': 'session',
  'portal-address': 'session',
  'my-account-password': 'session',
  'my-account-enrollment': 'session',

  'administrator-invitation': 'maker',
} as const satisfies Record<string, Bond>

export type TicketName = keyof typeof BONDS
