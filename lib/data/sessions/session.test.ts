import { describe, expect, it } from 'vitest'
import { addSeconds } from '../../kernel/clock'
import { systemRandom } from '../../kernel/random'
import { digest } from '../../kernel/secret'
import { NOW } from '../../testing/samples'
import { type Evidence, inherit, needsTouch, newSession } from './session'

const policy = { idleSeconds: 3600, absoluteSeconds: 86400, persistent: true }
const proven = (at: Date): Evidence[] => [{ method: 'pwd', at: at.toISOString(), connection: 'Users' }]
const begin = (now = NOW, over: Partial<Parameters<typeof newSession>[0]> = {}) =>
  newSession(
    {
      ...{ login: 'f00d', userId: 'auth0|kim', clientId: 'app' },
      ...{ startedElsewhere: false, evidence: proven(now), before: null, ...over },
    },
    policy,
    now,
    systemRandom,
  )

it('has an id of 256 bits of which only the digest is kept (threat-model.md SE2)', () => {
  const { plain, session } = begin()
  expect(Buffer.from(plain, 'base64url')).toHaveLength(32)
  expect(session.idDigest).toEqual(digest(plain))
  expect(JSON.stringify(session)).not.toContain(plain)
})

it('has a public id that says nothing of the secret one', () => {
  const { plain, session } = begin()
  expect(session.sid).not.toContain(plain)
  expect(begin().session.sid).not.toBe(session.sid)
})

it('names the application that each proof was made for, unless another person may have started the login', () => {
  const clientsOf = (over: Parameters<typeof begin>[1]) =>
    begin(NOW, over).session.evidence.map((each) => each.clientId)
  expect(clientsOf({})).toEqual(['app'])
  expect(clientsOf({ startedElsewhere: true })).toEqual([undefined])
  const evidence = [...inherit(begin().session.evidence), ...proven(NOW)]
  expect(clientsOf({ clientId: 'other', evidence })).toEqual(['app', 'other'])
})

it('ends by idleness and by age', () => {
  const { session } = begin()
  expect(session).toMatchObject({
    authTime: NOW,
    idleExpiresAt: addSeconds(NOW, 3600),
    expiresAt: addSeconds(NOW, 86400),
  })
})

describe('in place of an earlier one of the same user', () => {
  const before = begin().session
  const later = addSeconds(NOW, 600)

  it('has another id, and keeps the applications for single logout', () => {
    const { session } = begin(later, { before, clientId: 'other' })
    expect(session.idDigest).not.toEqual(before.idDigest)
    expect(session.participants).toEqual(['app', 'other'])
  })

  it('begins its life anew after a new proof', () => {
    expect(begin(later, { before }).session.expiresAt).toEqual(addSeconds(later, 86400))
  })

  it('does not live longer where nothing was proven anew', () => {
    const { session } = begin(later, { before, evidence: before.evidence })
    expect(session).toMatchObject({ authTime: before.authTime, expiresAt: before.expiresAt })
    expect(session.idleExpiresAt).toEqual(addSeconds(later, 3600))
  })
})

describe('being seen again', () => {
  const { session } = begin()

  it.each([
    ['a known application within a minute', 'app', 59, false],
    ['a known application after a minute', 'app', 60, true],
    ['a new application at once', 'other', 0, true],
  ])('%s: is written %s', (_name, clientId, seconds, written) => {
    expect(needsTouch(session, clientId, addSeconds(NOW, seconds))).toBe(written)
  })
})

it('keeps the public id of the session that it replaces, and forgets that proofs were inherited', () => {
  const { session } = begin()
  const next = begin(NOW, { before: session, evidence: inherit(session.evidence) }).session
  expect(next.sid).toBe(session.sid)
  expect(next.idDigest).not.toEqual(session.idDigest)
  expect(next.evidence).toEqual(session.evidence)
})
