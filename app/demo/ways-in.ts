// The ways to sign in that the page offers: the authorization parameters of each, and the values to type. All accounts and
// applications named here are in prisma/demo-tenant.yaml or prisma/demo-acme.yaml; a test holds them equal.

/** A login of an OpenID Connect application. */
export type WayIn = {
  clientId: string
  parameters: Record<string, string>
}

/** Another address where a login begins: with GET, or with the POST of a form. */
export type StartElsewhere = { clientId: string; address: string; posts?: true }

/** A value to type, and its name. */
export type Hint = { name: string; value: string }

export type Walk = (WayIn | StartElsewhere) & { name: string; text: string; hints: Hint[] }

export type DemoPerson = { email: string; password: string }

export const ADA: DemoPerson = { email: 'ada@demo.test', password: 'analytical engine 1843' }
const GRACE: DemoPerson = { email: 'grace@demo.test', password: 'nanosecond of copper wire' }
const HEDY: DemoPerson = { email: 'hedy@demo.test', password: 'frequency hopping 1942' }
const DOROTHY: DemoPerson = { email: 'dorothy@demo.test', password: 'west area computers' }
const RADIA: DemoPerson = { email: 'radia@demo.test', password: 'spanning tree poem' }
const WILE: DemoPerson = { email: 'wile@acme.test', password: 'rocket skates by mail' }
const HANK: DemoPerson = { email: 'hank@globex.test', password: 'hammock district on third' }

/** The accounts of the demo tenant, and of its provider. */
export const PEOPLE = { demo: [ADA, GRACE, HEDY, DOROTHY, RADIA], provider: [WILE, HANK] }

/** The key of Hedy's authenticator app. */
export const TOTP_KEY = 'KNXW4ZLUMFWGKZ3SMFZXGIDB'

const SCOPE = 'openid profile email offline_access'

const demoApp = (parameters: Record<string, string> = {}): WayIn => ({
  clientId: 'demo-app',
  parameters: { scope: `${SCOPE} read:notes`, audience: 'https://api.demo.latchkey.test/', ...parameters },
})

/** Requires a new login, so that an existing session of another user is not used. */
const other = (clientId: string, parameters: Record<string, string>): WayIn => ({
  clientId,
  parameters: { scope: SCOPE, prompt: 'login', ...parameters },
})

export const ORGANIZATION = 'night-shift'

/** Accepts the invitation that a link contains. */
export const invited = (invitation: string, organization: string): WayIn =>
  other('demo-team', { invitation, organization })

const typed = ({ email, password }: DemoPerson): Hint[] => [
  { name: 'Email', value: email },
  { name: 'Password', value: password },
]

export const PASSWORD = demoApp()

export const GROUPS: { name: string; walks: Walk[] }[] = [
  {
    name: 'With a password',
    walks: [
      {
        ...demoApp({ prompt: 'login', screen_hint: 'signup' }),
        name: 'Sign up',
        text: 'Make an account with any address; the mail that proves it is yours is in the outbox.',
        hints: [],
      },
      {
        ...demoApp({ prompt: 'login', login_hint: GRACE.email }),
        name: 'An unproven address',
        text: 'Grace never followed the link in her mail, and the ID token says so.',
        hints: typed(GRACE),
      },
    ],
  },
  {
    name: 'Second factor',
    walks: [
      {
        ...other('demo-vault', { login_hint: HEDY.email }),
        name: 'Always asked for',
        text: 'Demo Vault asks every user: give this key to an authenticator app, or choose a text message, which arrives in the outbox.',
        hints: [...typed(HEDY), { name: 'Authenticator key', value: TOTP_KEY }],
      },
      {
        ...other('demo-vault', { login_hint: DOROTHY.email }),
        name: 'Set one up',
        text: 'Dorothy has none yet: she scans a code with an authenticator app, or gives a phone number.',
        hints: typed(DOROTHY),
      },
      {
        ...demoApp({ prompt: 'login', login_hint: RADIA.email }),
        name: 'Optional',
        text: 'Radia has set one up, so she is asked for it; people without one are not.',
        hints: typed(RADIA),
      },
    ],
  },
  {
    name: 'Without a password',
    walks: [
      {
        ...other('demo-reader', { connection: 'email-code', login_hint: 'joan@demo.test' }),
        name: 'A code by email',
        text: 'Any address works; the code is in the outbox.',
        hints: [],
      },
      {
        ...other('demo-reader', { connection: 'email-link', login_hint: 'joan@demo.test' }),
        name: 'A link by email',
        text: 'Open the link in the outbox, in this browser.',
        hints: [],
      },
      {
        ...other('demo-reader', { connection: 'sms-code', login_hint: '+12025550178' }),
        name: 'A code by text message',
        text: 'Any number works; the message is in the outbox.',
        hints: [],
      },
    ],
  },
  {
    name: 'Passkey',
    walks: [
      {
        ...demoApp({ prompt: 'login', screen_hint: 'signup', login_hint: 'mary@demo.test' }),
        name: 'Sign up with a passkey',
        text: 'Choose the passkey on the sign-up page: the fingerprint or screen lock of this device takes the place of a password.',
        hints: [],
      },
      {
        ...demoApp({ prompt: 'login' }),
        name: 'Sign in with a passkey',
        text: 'The first field suggests the passkeys of this device, and a button asks for one.',
        hints: [],
      },
    ],
  },
  {
    name: 'Social login',
    walks: [
      {
        ...other('demo-club', { connection: 'chirper' }),
        name: 'OAuth 2.0',
        text: 'Leads to Chirper, where Wile has an account, and from there back.',
        hints: typed(WILE),
      },
    ],
  },
  {
    name: 'Organization',
    walks: [
      {
        ...other('demo-team', { organization: ORGANIZATION, login_hint: ADA.email }),
        name: 'Member',
        text: 'Ada signs in to Night Shift, and the tokens name it.',
        hints: typed(ADA),
      },
      {
        clientId: 'demo-team',
        address: '/demo/invitation',
        posts: true,
        name: 'Invitation',
        text: 'Grace invites a new guest to Night Shift. The mail is in the outbox; this button follows its link.',
        hints: [],
      },
    ],
  },
  {
    name: 'Other protocols',
    walks: [
      {
        clientId: 'demo-wiki',
        address: '/samlp/demo-wiki',
        name: 'SAML application',
        text: 'Demo Wiki gets a signed assertion, which this page shows.',
        hints: typed(ADA),
      },
      {
        clientId: 'demo-intranet',
        address: '/wsfed/demo-intranet',
        name: 'WS-Federation application',
        text: 'Demo Intranet gets a signed token, which this page shows.',
        hints: typed(ADA),
      },
    ],
  },
  {
    name: 'Company login',
    walks: [
      {
        ...other('demo-office', { login_hint: WILE.email }),
        name: 'OpenID Connect',
        text: 'The domain of the address leads to the login page of Acme Corp, and from there back.',
        hints: typed(WILE),
      },
      {
        ...other('demo-office', { login_hint: HANK.email }),
        name: 'SAML',
        text: 'The same for Globex, whose people come back with a signed assertion.',
        hints: typed(HANK),
      },
    ],
  },
]

/**
 * The way to sign in as a plain link, for browsers without scripts. The challenge is the example of RFC 7636 (Appendix B): the
 * code that such a login returns is never redeemed.
 */
export function plainLink({ clientId, parameters }: WayIn, home: string): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: home,
    ...parameters,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  return `/authorize?${query}`
}
