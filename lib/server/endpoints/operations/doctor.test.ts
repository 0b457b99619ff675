import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digest } from '../../../kernel/secret'
import { type TestServer, testServer } from '../../../testing/server'
import type { Arrival, Finding } from '../../doctor/finding'

const HERE = { ip: '127.0.0.1' }
const TOKEN = 'the-token-of-the-operator'
const FINDINGS: Finding[] = [
  { about: 'database', health: 'well', says: 'PostgreSQL answers.' },
  { about: 'clock', health: 'ill', says: 'Run <b>NTP</b>.' },
]

let arrivals: Arrival[] = []
const examinerWith = (token: string | null) => ({
  tokenDigest: token === null ? null : digest(token),
  async examine(arrival: Arrival) {
    arrivals.push(arrival)
    return FINDINGS
  },
})

let server: TestServer
const opened = (options: Parameters<typeof testServer>[0]) => {
  beforeAll(async () => {
    arrivals = []
    server = await testServer(options)
  })
  afterAll(() => server.close())
}

describe('without a token, outside demo mode', () => {
  opened({ examiner: examinerWith(null) })

  it('is not there', async () => {
    expect((await server.browser().get('/doctor')).status).toBe(404)
    expect((await server.browser().post('/doctor', { form: { token: '' } })).status).toBe(404)
    expect(arrivals).toEqual([])
  })
})

describe('with a token', () => {
  opened({ examiner: examinerWith(TOKEN) })

  it('asks for it, and examines nothing before', async () => {
    const page = await server.browser().get('/doctor')
    expect(page.status).toBe(200)
    expect(page.text).toContain('Server check')
    for (const token of ['', 'wrong', `${TOKEN}x`]) {
      const refused = await server.browser().post('/doctor', { form: { token } })
      expect(refused.status).toBe(403)
      expect(refused.text).toContain('not this server’s operator token')
    }
    expect(arrivals).toEqual([])
  })

  it('shows what was found, escaped, with how the request arrived', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }
    const page = await server.browser().post('/doctor', { form: { token: TOKEN }, headers })
    expect(page.status).toBe(200)
    expect(page.text).toContain('Some points must be fixed')
    expect(page.text).toContain('PostgreSQL answers.')
    expect(page.text).toContain('Run &lt;b&gt;NTP&lt;/b&gt;.')
    expect(page.text).not.toContain(TOKEN)
    expect(page.header('cache-control')).toBe('no-store')
    expect(arrivals).toMatchObject([{ forwardedFor: '203.0.113.9', forwardedProto: 'https' }])
  })
})

describe('in demo mode', () => {
  opened({ examiner: examinerWith(null), demo: true })

  it('requires no token from the local machine', async () => {
    expect((await server.browser(HERE).get('/doctor')).text).toContain('Some points must be fixed')
  })

  it.each([{ host: 'evil.test' }, { host: 'evil.test', ip: '127.0.0.1' }, { host: 'id.test', ip: '192.168.1.9' }])(
    'is not there for %j',
    async (from) => {
      arrivals = []
      for (const method of ['GET', 'POST'])
        expect((await server.browser(from).send(method, '/doctor')).status).toBe(404)
      expect(arrivals).toEqual([])
    },
  )
})

describe('in demo mode with a token', () => {
  opened({ examiner: examinerWith(TOKEN), demo: true })

  it('requires the token from other machines, and accepts it', async () => {
    const elsewhere = server.browser({ host: 'evil.test', ip: '192.168.1.9' })
    expect((await elsewhere.get('/doctor')).text).toContain('Server check')
    expect((await elsewhere.post('/doctor', { form: { token: 'wrong' } })).status).toBe(403)
    expect(arrivals).toEqual([])
    expect((await elsewhere.post('/doctor', { form: { token: TOKEN } })).text).toContain('PostgreSQL answers.')
  })
})
