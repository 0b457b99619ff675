import { describe, expect, it } from 'vitest'
import type { DatabaseConnection } from '../../data/connections/connection'
import { type Evidence, inherit } from '../../data/sessions/session'
import { addSeconds } from '../../kernel/clock'
import { NOW, sampleApi, sampleClient, sampleConnection, sampleState, sampleUser } from '../../testing/samples'
import type { MfaState } from '../flow/mfa'
import { dueScreens, nextRequirement } from './index'
import { refusalOf } from './step'

const provenNow = (secondsAgo: number): Evidence[] => [
  { method: 'pwd', at: addSeconds(NOW, -secondsAgo).toISOString(), connection: 'Users' },
]
/** Proofs inherited from the browser's session. */
const proven = (secondsAgo: number): Evidence[] => inherit(provenNow(secondsAgo))
const user = sampleUser()
const signedIn = (secondsAgo: number) => ({ user, evidence: proven(secondsAgo) })
const due = (over: Parameters<typeof sampleState>[0]) => nextRequirement(sampleState(over))?.name ?? 'nothing'

type Row = [string, Parameters<typeof sampleState>[0], string]

describe('authentication', () => {
  it.each<Row>([
    ['nobody', {}, 'authenticated'],
    ['a session', signedIn(60), 'nothing'],
    ['a user without evidence', { user, evidence: [] }, 'authenticated'],
    ['evidence without a user', { user: null, evidence: proven(60) }, 'authenticated'],
    ['a blocked user', { ...signedIn(60), user: sampleUser({ blocked: true }) }, 'authenticated'],
    ['prompt=login beside a session', { ...signedIn(60), wants: { prompt: ['login'] } }, 'authenticated'],
    [
      'prompt=login beside a session of this very moment',
      { ...signedIn(0), wants: { prompt: ['login'] } },
      'authenticated',
    ],
    ['prompt=login after proving it now', { user, evidence: provenNow(0), wants: { prompt: ['login'] } }, 'nothing'],
    ['max_age that is over', { ...signedIn(61), wants: { maxAge: 60 } }, 'authenticated'],
    ['max_age that is just not over', { ...signedIn(60), wants: { maxAge: 60 } }, 'nothing'],
    ['max_age=0 beside a session', { ...signedIn(1), wants: { maxAge: 0 } }, 'authenticated'],
    ['max_age=0 after proving it now', { user, evidence: provenNow(0), wants: { maxAge: 0 } }, 'nothing'],
    [
      'max_age=0 after proving it a while ago in this attempt',
      { user, evidence: provenNow(50), wants: { maxAge: 0 } },
      'nothing',
    ],
    ['the hinted user', { ...signedIn(60), wants: { subject: user.id } }, 'nothing'],
    ['another than the hinted user', { ...signedIn(60), wants: { subject: 'auth0|lee' } }, 'authenticated'],
    [
      'another than the hinted user, proven now',
      { user, evidence: provenNow(0), wants: { subject: 'auth0|lee', prompt: ['login'] } },
      'authenticated',
    ],
  ])('the next requirement for %s is right: %o', (_name, state, expected) => {
    expect(due(state)).toBe(expected)
  })
})

describe('linking two accounts', () => {
  const other = { id: 'auth0|older', connectionIds: ['con_database'] }
  const first = { userId: 'google-oauth2|1', evidence: provenNow(5) }

  it.each<Row>([
    [
      'is decided before it is done',
      { user, evidence: provenNow(0), decisions: { linking: { phase: 'offered', other } } },
      'linking-decided',
    ],
    [
      'is over when it was declined',
      { user, evidence: provenNow(0), decisions: { linking: { phase: 'declined' } } },
      'nothing',
    ],
    ['waits for the other account', { decisions: { linking: { phase: 'proving', other, first } } }, 'authenticated'],
  ])('a linking %s', (_name, state, expected) => {
    expect(due(state)).toBe(expected)
  })
})

describe('account selection', () => {
  const wants = { prompt: ['select_account' as const] }

  it.each<Row>([
    ['asks which account where one is signed in', { ...signedIn(60), wants }, 'account-selected'],
    ['does not ask where none is', { wants }, 'authenticated'],
    ['does not ask twice', { ...signedIn(60), wants, decisions: { account: 'selected' } }, 'nothing'],
    ['comes before a login that is too old', { ...signedIn(60), wants: { ...wants, maxAge: 1 } }, 'account-selected'],
  ])('account selection %s', (_name, state, expected) => {
    expect(due(state)).toBe(expected)
  })
})

describe('consent', () => {
  const thirdParty = { ...signedIn(60), client: sampleClient({ is_first_party: false }) }
  const api = sampleApi({ skip_consent_for_verifiable_first_party_clients: false })
  const answer = (scopes: string[], audience = '') => ({ consent: { audience, scopes } })

  it.each<Row>([
    ['never before who is asked is known', { ...thirdParty, user: null }, 'authenticated'],
    ['a third party asks', thirdParty, 'consented'],
    ['a third party that was agreed to does not', { ...thirdParty, agreed: ['openid'] }, 'nothing'],
    [
      'a third party that wants more asks again',
      { ...thirdParty, agreed: ['openid'], wants: { scopes: ['openid', 'email'] } },
      'consented',
    ],
    ['the answer given now counts', { ...thirdParty, decisions: answer(['openid']) }, 'nothing'],
    [
      'an answer about fewer scopes does not',
      { ...thirdParty, decisions: answer(['openid']), wants: { scopes: ['openid', 'email'] } },
      'consented',
    ],
    ['an answer about another audience does not', { ...thirdParty, decisions: answer(['openid'], 'x') }, 'consented'],
    ['an API asks for a first party too', { ...signedIn(60), api }, 'consented'],
    ['prompt=consent asks a first party', { ...signedIn(60), wants: { prompt: ['consent'] } }, 'consented'],
    [
      'prompt=consent asks though it was agreed to',
      { ...thirdParty, agreed: ['openid'], wants: { prompt: ['consent'] } },
      'consented',
    ],
    [
      'prompt=consent is content with the answer given now',
      { ...thirdParty, decisions: answer(['openid']), wants: { prompt: ['consent'] } },
      'nothing',
    ],
  ])('consent is required: %s', (_name, state, expected) => {
    expect(due(state)).toBe(expected)
  })
})

describe('a second factor that has to be added', () => {
  const mfa = (over: object) => ({ mfa: { required: true, enrolments: { enrolled: false }, ...over } as MfaState })

  it.each<Row>([
    ['needs a login of the last hour', { ...signedIn(3601), ...mfa({}) }, 'recently-authenticated'],
    ['is added after one', { ...signedIn(3600), ...mfa({}) }, 'mfa-enrolled'],
    ['is added after a password', { user, evidence: [...proven(9000), ...provenNow(0)], ...mfa({}) }, 'mfa-enrolled'],
    [
      'is proven after any login, if there is one',
      { ...signedIn(9000), ...mfa({ enrolments: { enrolled: true } }) },
      'mfa-passed',
    ],
    ['is not added where none is required', { ...signedIn(9000), ...mfa({ required: false }) }, 'nothing'],
  ])('a second factor %s', (_name, state, expected) => {
    expect(due(state)).toBe(expected)
  })
})

describe('a change of how users sign in (threat-model.md BF22)', () => {
  const api = { ...sampleApi(), changing: new Map([['change', 900]]) }
  const wants = { scopes: ['openid', 'change'], audience: api.identifier }
  const requested = { api, wants, agreed: wants.scopes }
  const agreedHere = { consent: { audience: api.identifier, scopes: wants.scopes } }
  const by = (method: Evidence['method'], more: Partial<Evidence> = {}): Evidence => ({
    ...{ method, at: NOW.toISOString(), connection: 'Users' },
    ...more,
  })

  it.each<Row>([
    ['is no matter of a session that is too old', { ...requested, ...signedIn(901) }, 'authenticated'],
    ['is confirmed by the person whom a session signed in', { ...requested, ...signedIn(900) }, 'change-confirmed'],
    ['follows an answer on the page of this login', { ...requested, ...signedIn(9), decisions: agreedHere }, 'nothing'],
    ['follows a password', { ...requested, user, evidence: provenNow(0) }, 'nothing'],
    ['follows a password after a session', { ...requested, user, evidence: [...proven(9), by('pwd')] }, 'nothing'],
    ...(['otp', 'sms', 'hwk', 'swk'] as const).map(
      (method): Row => [`follows ${method}`, { ...requested, user, evidence: [by(method)] }, 'nothing'],
    ),
    ['does not follow the answer of a provider', { ...requested, user, evidence: [by('fed')] }, 'change-confirmed'],
    [
      'does not follow a second factor alone',
      { ...requested, user, evidence: [...proven(9), by('mfa', { factor: 'otp' })] },
      'change-confirmed',
    ],
    [
      'does not follow a password where the login started elsewhere',
      { ...requested, wants: { ...wants, startedElsewhere: true }, user, evidence: provenNow(0) },
      'change-confirmed',
    ],
    [
      'follows an answer where the login started elsewhere',
      {
        ...requested,
        wants: { ...wants, startedElsewhere: true },
        user,
        evidence: provenNow(0),
        decisions: agreedHere,
      },
      'nothing',
    ],
    [
      'is not one of other scopes',
      { ...requested, wants: { ...wants, scopes: ['openid'] }, ...signedIn(5000) },
      'nothing',
    ],
  ])('a change %s', (_name, state, expected) => {
    expect(due(state)).toBe(expected)
  })

  it('is refused silently as a login that is required', () => {
    const state = sampleState({ ...requested, ...signedIn(9) })
    const missing = nextRequirement(state)
    expect(missing && refusalOf(missing, state)).toEqual({ code: 'login_required', description: 'Login required' })
  })
})

describe('the screens that may be shown', () => {
  const settings = (options: Record<string, unknown>) => sampleConnection<DatabaseConnection>('auth0', { options })
  const screens = (over: Parameters<typeof sampleState>[0]) => dueScreens(sampleState(over))
  const databases = [settings({})]

  it('are the login page and the ways around it', () => {
    expect(screens({ databases })).toEqual(['login', 'signup', 'forgot-password'])
  })

  it.each([
    ['the connection is closed', { databases: [settings({ disable_signup: true })] }],
    ['a user is expected by name', { databases, wants: { subject: 'auth0|kim' } }],
    ['there is no database connection', { databases: [] }],
  ])('leave sign-up out where %s', (_what, over) => {
    expect(screens(over)).toEqual(['login', 'forgot-password'])
    expect(screens({ ...over, wants: { ...('wants' in over ? over.wants : {}), screenHint: 'signup' } })[0]).toBe(
      'login',
    )
  })

  it('begin with the requested one, if it is among them', () => {
    expect(screens({ databases, wants: { screenHint: 'signup' } })).toEqual(['signup', 'login', 'forgot-password'])
    expect(screens({ databases, wants: { screenHint: 'consent' } })[0]).toBe('login')
    expect(screens({ databases, ...signedIn(60), wants: { screenHint: 'signup', prompt: ['consent'] } })).toEqual([
      'consent',
    ])
  })

  it('are empty when nothing is missing', () => {
    expect(screens({ databases, ...signedIn(60), wants: { screenHint: 'signup' } })).toEqual([])
  })
})

it('refuses prompt=none with the code that belongs to what is missing', () => {
  const refusalIn = (over: Parameters<typeof sampleState>[0]) => {
    const state = sampleState(over)
    const missing = nextRequirement(state)
    return missing && refusalOf(missing, state)
  }
  expect(refusalIn({})).toEqual({ code: 'login_required', description: 'Login required' })
  expect(refusalIn({ ...signedIn(60), client: sampleClient({ is_first_party: false }) })).toEqual({
    code: 'consent_required',
    description: 'Consent required',
  })
  expect(refusalIn({ ...signedIn(60), wants: { prompt: ['select_account'] } })?.code).toBe('interaction_required')
})
