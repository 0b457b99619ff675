// What a copy of a login for outsiders has, and what it leaves out (docs/adr/0071, threat-model.md AU6).
import { describe, expect, it } from 'vitest'
import { masked, sharedLoginOf } from './shared-login'
import { claimsOf, type InspectedStep, lineOf, storedStep } from './step'

const AT = '2027-01-15T08:00:00.000Z'
const stepOf = (step: InspectedStep) => storedStep(step, AT)

const STEPS = [
  stepOf({
    kind: 'request',
    subject: 'oidc',
    outcome: 'ok',
    lines: [lineOf('connection', 'ok', { value: 'corp' }), lineOf('login_hint', 'ok')],
  }),
  stepOf({
    kind: 'session',
    subject: 'found',
    outcome: 'none',
    lines: [
      lineOf('pwd', 'ok', { value: 'Staff, yesterday' }),
      lineOf('remembered_accounts', 'none', { value: '3' }),
      lineOf('connections', 'none', { value: 'corp, rival' }),
      lineOf('missing', 'none', { value: 'login' }),
    ],
  }),
  stepOf({
    kind: 'provider_answer',
    subject: 'corp',
    outcome: 'failed',
    reason: 'upstream_audience',
    says: 'For kim.lee@corp.test at 203.0.113.7, the audience is urn:other',
    lines: [
      lineOf('audience', 'failed', { says: 'urn:other is not urn:id.test:corp' }),
      lineOf('user_id', 'ok', { value: 'samlp|corp|kim.lee' }),
    ],
    claims: {
      assertion: claimsOf({
        issuer: 'https://idp.test',
        mail: ['kim.lee@corp.test'],
        department: 'Secret weapons',
        email_verified: true,
      }),
    },
  }),
]

const login = {
  id: '0123456789abcdef0123456789abcdef',
  outcome: 'failed',
  reason: 'upstream_audience',
  startedAt: new Date(AT),
  lastAt: new Date(AT),
  clientName: 'Shop',
  connection: 'corp',
  person: 'kim.lee@corp.test',
  userId: 'samlp|corp|kim.lee',
  parts: [{ ip: '203.0.113.7', user_agent: 'Firefox', steps: STEPS }],
}

describe('the copy of a login', () => {
  const copy = sharedLoginOf(login)

  it('has the rules and their verdicts', () => {
    expect(copy).toMatchObject({
      outcome: 'failed',
      reason: 'upstream_audience',
      application: 'Shop',
      connection: 'corp',
    })
    expect(copy.steps[2]?.lines[0]).toEqual({
      name: 'audience',
      verdict: 'failed',
      says: 'urn:other is not urn:id.test:corp',
    })
    expect(copy.steps[2]?.claims.assertion).toEqual({
      issuer: 'https://idp.test',
      mail: '(1 values)',
      department: '(text)',
      email_verified: 'true',
    })
  })

  it('says neither who the person is, from where it came, nor what else the tenant has', () => {
    const text = JSON.stringify(copy)
    for (const secret of ['kim.lee', '203.0.113.7', 'Firefox', 'rival', 'weapons', 'samlp|corp', 'yesterday'])
      expect(text).not.toContain(secret)
    expect(copy.person).toBe('k•••@corp.test')
  })
})

it('has of an action that it refused the login, and nothing of actions that did not', () => {
  const actionOf = (outcome: 'ok' | 'failed', reason?: 'action_denied' | 'action_failed') =>
    stepOf({
      kind: 'action',
      subject: 'Ask the CRM',
      outcome,
      reason,
      says: 'TypeError at crm.internal',
      lines: [lineOf('goes_on_as', 'none', { value: 'auth0|boss' })],
      claims: { input: claimsOf({ user: { name: 'Kim' } }) },
    })
  const steps = [actionOf('ok'), actionOf('failed', 'action_failed'), actionOf('failed', 'action_denied')]
  const copy = sharedLoginOf({ ...login, parts: [{ steps }] })
  expect(copy.steps).toEqual([
    { kind: 'action', at: AT, subject: '', outcome: 'failed', reason: 'action_failed', lines: [], claims: {} },
    {
      ...{ kind: 'action', at: AT, subject: '', outcome: 'failed', reason: 'action_denied', lines: [], claims: {} },
      says: 'TypeError at crm.internal',
    },
  ])
})

describe('masked', () => {
  it.each([
    ['kim.lee@corp.test', 'k•••@corp.test'],
    ['sub kim@a.b-c.test, lee@d.test', 'sub k•••@a.b-c.test, l•••@d.test'],
    ['called +49 170 1234567 today', 'called ••• today'],
    ['from 203.0.113.7', 'from •••'],
    ['from 2001:db8::7', 'from •••'],
    ['from 2001:db8:0:0:0:0:0:7', 'from •••'],
    ['from ::1', 'from •••'],
  ])('%s', (text, shown) => expect(masked(text)).toBe(shown))

  it.each([
    'https://idp.test/sso',
    'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    '2027-01-15T08:00:00.000Z',
    'urn:id.test:corp',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name',
    '1.2.3',
    'openid profile email',
  ])('leaves %s', (text) => expect(masked(text)).toBe(text))
})

it('a name that is no mailbox keeps its first character', () => {
  expect(sharedLoginOf({ ...login, person: 'kim' }).person).toBe('k•••')
})
