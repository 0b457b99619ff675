import { expect, it } from 'vitest'
import { documentPolicy } from './document-policy'

const production = { development: false }

it('runs scripts by nonce alone and lets nothing else in', () => {
  const policy = documentPolicy('/demo', 'abc', production)
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'nonce-abc' 'strict-dynamic';")
  expect(policy).not.toContain('unsafe')
  expect(policy).toContain("frame-ancestors 'none'")
})

it('lets inline styles through on the outbox alone, and inline scripts nowhere', () => {
  expect(documentPolicy('/dev/outbox', 'abc', production)).toContain("style-src 'self' 'unsafe-inline'")
  expect(documentPolicy('/dev/outbox', 'abc', production)).not.toContain("'unsafe-inline' 'nonce")
  expect(documentPolicy('/dev/outbox', 'abc', production)).toContain("script-src 'nonce-abc' 'strict-dynamic';")
})
