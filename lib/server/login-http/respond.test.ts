import { describe, expect, it } from 'vitest'
import { withCookies } from '../../login/visitor-response'
import { respondToVisitor } from './respond'

const deps = { secure: true, random: { token: (bytes: number) => `nonce-${bytes}` } } as Parameters<
  typeof respondToVisitor
>[1]

const headersOf = (name: string, { headers }: { headers: [string, string][] }) =>
  headers.filter((header) => header[0] === name).map((header) => header[1])

describe('a response to a visitor', () => {
  it.each([
    ['redirect', 302],
    ['see-other', 303],
  ] as const)('%s has the status %d', (kind, status) => {
    const response = respondToVisitor({ kind, to: 'https://app.test/cb?code=c' }, deps)
    expect(response).toEqual({ status, headers: [['location', 'https://app.test/cb?code=c']], body: '' })
  })

  it('form posts its fields to the address, with a nonce of its own', () => {
    const response = respondToVisitor({ kind: 'form', to: 'https://app.test/cb', fields: { code: '"c"' } }, deps)
    expect(response.status).toBe(200)
    expect(response.body).toContain('<form method="post" action="https://app.test/cb">')
    expect(response.body).toContain('name="code" value="&quot;c&quot;"')
    expect(response.body).toContain('<script nonce="nonce-16">')
    expect(headersOf('content-security-policy', response)[0]).toContain("script-src 'nonce-nonce-16'")
  })

  it('message goes to windows of its origin alone', () => {
    const response = respondToVisitor({ kind: 'message', origin: 'https://app.test', fields: { code: 'c' } }, deps)
    expect(response.body).toContain(',"https://app.test")')
    expect(headersOf('content-security-policy', response)[0]).toContain('frame-ancestors https://app.test')
  })

  it('sets its cookies in their order, and drops those without a lifetime', () => {
    const first = withCookies({ kind: 'redirect', to: 'https://app.test/' }, [
      { name: 'known', value: 'k', maxAge: 60 },
      { name: 'session', value: 's' },
    ])
    const response = respondToVisitor(withCookies(first, [{ name: 'co', value: '', maxAge: 0 }]), deps)
    expect(headersOf('set-cookie', response)).toEqual([
      '__Host-latchkey_known=k; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60',
      '__Host-latchkey_session=s; Path=/; HttpOnly; SameSite=Lax; Secure',
      '__Host-latchkey_co=; Path=/; HttpOnly; SameSite=None; Secure; Max-Age=0',
    ])
  })
})
