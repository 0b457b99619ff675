// `net`, `tls` and `dns` of actions as clients, compared with Node's own against servers of the test's own.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ActionBench, actionBench, loginEvent } from '../../../testing/actions'
import { makeCertificate } from '../../../testing/certificate'

let certificate: { cert: string; key: string }
let bench: ActionBench
const servers: Server[] = []
const sockets = new Set<Socket>()

async function serve(handle: (socket: Socket) => void): Promise<number> {
  return listen(createServer((socket) => handle(socket)))
}
async function listen(server: Server): Promise<number> {
  server.on('connection', (socket) => {
    socket.on('error', () => {})
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

/** Ports by what listens there. */
let at: Record<string, number> = {}
beforeAll(async () => {
  certificate = await makeCertificate('localhost')
  const secure = createTlsServer({ ...certificate, ALPNProtocols: ['echo'] }, (socket) => {
    socket.on('error', () => {})
    socket.pipe(socket)
  })
  secure.on('tlsClientError', () => {})
  at = {
    echo: await serve((socket) => socket.pipe(socket)),
    greeting: await serve((socket) => socket.resume().end('hello')),
    silent: await serve((socket) => socket.resume()),
    reset: await serve((socket) => socket.once('data', () => socket.resetAndDestroy())),
    flood: await serve((socket) => {
      const part = Buffer.alloc(65_536)
      const more = (): void => {
        while (socket.writable && socket.write(part));
      }
      socket.on('drain', more)
      more()
    }),
    drip: await serve((socket) => {
      const timer = setInterval(() => socket.write('x'), 1)
      socket.on('close', () => clearInterval(timer))
    }),
    /** As databases do: a question in the clear, then TLS. */
    upgrade: await serve((socket) =>
      socket.once('data', () => {
        socket.write('S')
        const inside = new TLSSocket(socket, { isServer: true, ...certificate })
        inside.on('error', () => {})
        inside.pipe(inside)
      }),
    ),
    secure: await listen(secure),
    closed: 0,
  }
  const closing = createServer()
  await once(closing.listen(0, '127.0.0.1'), 'listening')
  at.closed = (closing.address() as AddressInfo).port
  closing.close()
  bench = actionBench()
})
afterAll(() => {
  bench.close()
  for (const socket of sockets) socket.destroy()
  for (const server of servers) server.close()
})

const given = () => `const at = ${JSON.stringify(at)}, ca = ${JSON.stringify(certificate.cert)}`

async function run(body: string, makers: Pick<ActionBench, 'login'> = bench) {
  const engine = makers.login(`${given()}
    const net = require('net'), tls = require('node:tls'), dns = require('dns')
    let out
    ${body}
    api.idToken.setCustomClaim('https://a.test/out', JSON.stringify(out))`)
  const effects = await engine.run('post-login', loginEvent())
  return { effects, record: engine.records[0] }
}
async function inside(body: string): Promise<unknown> {
  const { effects, record } = await run(body)
  if (effects.denied) throw new Error(record?.reason ?? 'denied')
  return JSON.parse(String(effects.idTokenClaims['https://a.test/out'] ?? 'null'))
}
async function outside(body: string): Promise<unknown> {
  const modules = [await import('node:net'), await import('node:tls'), await import('node:dns')]
  const code = `return (async () => { ${given()}; let out; ${body}; return JSON.parse(JSON.stringify(out ?? null)) })()`
  return new Function('net', 'tls', 'dns', code)(...modules)
}

/** Each sets `out`. */
const SAME: Record<string, string> = {
  'writes and reads':
    "await new Promise((resolve) => { const s = net.connect(at.echo, '127.0.0.1', () => s.write('one')); out = ''; s.on('data', (d) => { out += d; if (out === 'one') s.end('two') }); s.on('close', (failed) => { out = [out, failed, s.bytesRead, s.bytesWritten]; resolve() }) })",
  'writes before it is connected, in pieces':
    "const s = new net.Socket(); s.connect({ port: at.echo, host: '127.0.0.1' }); s.write('a'); s.cork(); s.write('b'); s.write(Buffer.from('c')); s.uncork(); out = ''; s.setEncoding('utf8'); await new Promise((resolve) => s.on('data', (d) => { out += d; if (out.length === 3) { s.destroy(); resolve() } }))",
  'reads to the end of the other side':
    "const s = net.connect({ port: at.greeting, host: '127.0.0.1' }); const seen = []; for (const e of ['connect', 'ready', 'end', 'finish', 'close']) s.on(e, () => seen.push(e)); out = ''; await new Promise((resolve) => { s.on('data', (d) => { out += d }); s.on('close', resolve) }); out = [out, seen.sort(), s.destroyed, s.readyState]",
  'is a loop': "const s = net.connect(at.greeting, '127.0.0.1'); out = ''; for await (const part of s) out += part",
  'is refused':
    "await new Promise((resolve) => net.connect(at.closed, '127.0.0.1').on('error', (e) => { out = [e.code, e.syscall, e.address, e.port === at.closed]; resolve() }))",
  'is reset':
    "await new Promise((resolve) => { const s = net.connect(at.reset, '127.0.0.1'); s.write('x'); s.on('error', (e) => { out = e.code; resolve() }) })",
  'has a time limit':
    "await new Promise((resolve) => { const s = net.connect(at.silent, '127.0.0.1'); s.setTimeout(30, () => { out = [s.destroyed, s.timeout]; s.destroy(); resolve() }) })",
  'is given up by a signal':
    "await new Promise((resolve) => { const c = new AbortController(); const s = net.connect({ port: at.silent, host: '127.0.0.1', signal: c.signal }); s.on('error', (e) => { out = [e.name, e.code]; resolve() }); s.on('connect', () => c.abort()) })",
  'names what is no port':
    "out = []; for (const port of [-1, 65536, 'x y']) try { net.connect({ port, host: '127.0.0.1' }) } catch (e) { out.push(e.code, e.name) }",
  'says what is an address':
    "out = ['1.2.3.4', '01.2.3.4', '1.2.3', '::1', '::', 'fe80::1%eth0', '1::2::3', '::ffff:1.2.3.4', '1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7', 'a', '', '12345::'].map((each) => [net.isIP(each), net.isIPv4(each), net.isIPv6(each)])",
  'speaks TLS':
    "await new Promise((resolve) => { const s = tls.connect({ port: at.secure, host: 'localhost', servername: 'localhost', ca, ALPNProtocols: ['echo'] }, () => { out = [s.authorized, s.authorizationError, s.encrypted, s.alpnProtocol, s.getProtocol(), s.getPeerCertificate().subjectaltname, s.getPeerCertificate().raw.length > 100, s.servername]; s.end('over') }); let text = ''; s.on('data', (d) => { text += d }); s.on('close', () => { out.push(text); resolve() }) })",
  'refuses a certificate of an unknown authority':
    "await new Promise((resolve) => tls.connect(at.secure, 'localhost').on('error', (e) => { out = e.code; resolve() }))",
  'refuses a certificate of another name':
    "await new Promise((resolve) => tls.connect(at.secure, '127.0.0.1', { ca, servername: 'other.test' }).on('error', (e) => { out = e.code; resolve() }))",
  'takes any certificate on wish':
    "await new Promise((resolve) => { const s = tls.connect({ port: at.secure, host: 'localhost', rejectUnauthorized: false }, () => { out = [s.authorized, s.authorizationError]; s.destroy(); resolve() }) })",
  'lets the action judge the name':
    "out = []; for (const fault of [undefined, Object.assign(new Error('not this one'), { code: 'EMINE' })]) await new Promise((resolve) => { const s = tls.connect({ port: at.secure, host: 'localhost', ca, servername: 'other.test', checkServerIdentity: (name, cert) => { out.push(name, cert.subject.CN); return fault } }, () => { out.push(s.authorized); s.destroy(); resolve() }); s.on('error', (e) => { out.push(e.code); resolve() }) })",
  'turns a connection into TLS':
    "await new Promise((resolve) => { const raw = net.connect(at.upgrade, '127.0.0.1', () => raw.write('?')); raw.once('data', (d) => { out = [String(d)]; const s = tls.connect({ socket: raw, host: 'localhost', servername: 'localhost', secureContext: tls.createSecureContext({ ca }) }, () => s.write('inside')); s.once('data', (d) => { out.push(String(d), s.authorized); raw.on('close', resolve); s.end() }) }) })",
  'fails with the connection that it was to secure':
    "out = []; await new Promise((resolve) => { const raw = net.connect(at.closed, '127.0.0.1'); raw.on('error', (e) => out.push(['raw', e.code])); const s = tls.connect({ socket: raw }); s.on('error', (e) => out.push(['tls', e.code])); s.on('close', resolve) }); out.sort()",
  'judges names of certificates':
    "out = [['a.test', { subject: { CN: 'a.test' } }], ['b.a.test', { subjectaltname: 'DNS:*.a.test' }], ['a.test', { subjectaltname: 'DNS:b.test' }], ['1.2.3.4', { subjectaltname: 'IP Address:1.2.3.4' }]].map(([host, cert]) => tls.checkServerIdentity(host, { subject: {}, ...cert })?.reason ?? null)",
  'fails where there is no TLS':
    "await new Promise((resolve) => { const s = tls.connect(at.greeting, '127.0.0.1'); s.on('error', (e) => { out = /SSL|EPROTO/.test(e.code); resolve() }) })",
  'looks up a name':
    "const all = await dns.promises.lookup('localhost', { all: true, family: 4 }); out = [all, await dns.promises.lookup('127.0.0.1')]; await new Promise((resolve) => dns.lookup('localhost', 4, (...args) => { out.push(args); resolve() }))",
  'finds no name':
    "await new Promise((resolve) => dns.lookup('nothing.invalid', (e) => { out = [e.code.replace('EAI_AGAIN', 'ENOTFOUND'), e.syscall, e.hostname]; resolve() }))",
}

describe('net, tls and dns', () => {
  it.each(Object.entries(SAME))('does as Node.js: %s', async (_what, body) => {
    const expected = await outside(body)
    expect(expected).not.toBeNull()
    expect(await inside(body)).toEqual(expected)
  })

  it.each([
    ["net.connect('/tmp/socket')", 'ENOENT'],
    ["net.connect(25, '127.0.0.1')", 'EMAILPORT'],
    ["tls.connect(465, '127.0.0.1')", 'EMAILPORT'],
    ["net.connect(587, 'localhost')", 'EMAILPORT'],
    ...['10.0.0.1', '169.254.169.254', '0xa000001', '167772161', '10.1', '::ffff:10.0.0.1', '[fd00::1]', '0.0.0.0'].map(
      (host) => [`net.connect(5432, '${host}')`, 'EFORBIDDENADDRESS'],
    ),
    ["net.connect(5432, 'a b')", 'ENOTFOUND'],
    ["net.connect(5432, 'x@127.0.0.1/')", 'ENOTFOUND'],
    ["tls.connect({ port: at.secure, host: 'localhost', key: 'no key', cert: 'none' })", 'ERR_OSSL_UNSUPPORTED'],
    [
      "tls.connect({ port: at.secure, host: 'localhost', pfx: Buffer.from('x') })",
      'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM',
    ],
  ])('refuses %s: %s', async (made, code) => {
    expect(
      await inside(`await new Promise((resolve) => ${made}.on('error', (e) => { out = e.code; resolve() }))`),
    ).toBe(code)
  })

  it.each([
    ['net.createServer()', 'net.createServer: actions have no server'],
    ['new tls.Server()', 'tls.Server: actions have no server'],
    ["new tls.TLSSocket(new (require('stream').Duplex)())", 'a socket of actions is one of net'],
  ])('has no %s', async (body, message) => {
    await expect(inside(body)).rejects.toThrow(message)
  })

  it.each([
    'dns.promises.lookup("10.1")',
    'dns.promises.resolve4("169.254.169.254")',
    'dns.promises.resolveTxt("db.internal")',
    'dns.promises.resolveSrv("_ldap._tcp.corp")',
    'dns.promises.resolve("printer", "TXT")',
  ])('looks up no inner name: %s', async (call) => {
    expect(await inside(`out = await ${call}.catch((e) => e.code)`)).toBe('EFORBIDDENADDRESS')
  })

  it('looks up no other records', async () => {
    expect(await inside("out = await dns.promises.resolveMx('a.test').catch((e) => e.code)")).toBe('ENOTIMP')
  })

  it('records each socket and look-up with the run', async () => {
    const { record } = await run(`for (const port of [at.greeting, at.closed])
        await new Promise((resolve) => net.connect(port, '127.0.0.1').on('error', resolve).on('end', resolve).resume())
      await new Promise((resolve) => tls.connect(at.secure, 'localhost').on('error', resolve))
      await dns.promises.lookup('localhost')`)
    const lines = record?.lines
      .filter(({ level }) => level === 'request')
      .map(({ text }) => text.replace(/\(\d+ ms\)/, ''))
    expect(lines).toEqual([
      `CONNECT 127.0.0.1:${at.greeting} done `,
      `CONNECT 127.0.0.1:${at.closed} failed: it refused the connection (ECONNREFUSED) `,
      `CONNECT localhost:${at.secure} failed: its TLS certificate is not trusted here (DEPTH_ZERO_SELF_SIGNED_CERT) `,
      'LOOKUP localhost done ',
    ])
  })
})

const settled = async (): Promise<void> => {
  while (sockets.size > 0) await once([...sockets][0] as Socket, 'close')
}

describe('the sockets of a run', () => {
  it('close when it ends', async () => {
    await settled()
    const { record } = await run(`for (const port of [at.silent, at.echo, at.flood])
        await new Promise((resolve) => net.connect(port, '127.0.0.1', resolve))
      await new Promise((resolve) => tls.connect({ port: at.secure, host: 'localhost', ca }, resolve))`)
    expect(record?.outcome).toBe('ok')
    await settled()
  })

  it('close when its time is over, also one that is being secured', async () => {
    const { record } = await run("tls.connect(at.silent, '127.0.0.1'); await new Promise(() => {})", bench.clipped(300))
    expect(record?.outcome).toBe('late')
    await settled()
  })

  it('are twenty at a time, and fifty in all', async () => {
    const open =
      "const open = () => new Promise((resolve) => { const s = net.connect(at.silent, '127.0.0.1', () => resolve(s)); s.on('error', (e) => resolve(e.code)) })"
    expect(
      await inside(
        `${open}; const all = await Promise.all(Array.from({ length: 25 }, open)); out = all.filter((e) => typeof e === 'string')`,
      ),
    ).toEqual(Array(5).fill('ETOOMANYREQUESTS'))
    const body = `${open}; out = []; for (let n = 0; n < 52; n += 1) { const s = await open(); if (typeof s === 'string') out.push(s); else { s.destroy(); await new Promise((resolve) => setTimeout(resolve, 1)) } }`
    expect(await inside(body)).toEqual(['ETOOMANYREQUESTS', 'ETOOMANYREQUESTS'])
    await settled()
  })

  it('bring ten megabytes at most', async () => {
    const body =
      "await new Promise((resolve) => { const s = net.connect(at.flood, '127.0.0.1'); let size = 0; s.on('data', (d) => { size += d.length }); s.on('error', (e) => { out = [e.code, size <= 10485760, size > 9000000]; resolve() }) })"
    expect(await inside(body)).toEqual(['ETOOLARGE', true, true])
  })

  it('send ten megabytes at most', async () => {
    const body =
      "await new Promise((resolve) => { const s = net.connect(at.silent, '127.0.0.1'); const part = Buffer.alloc(1048576); const more = () => s.write(part, (e) => { if (!e) more() }); more(); s.on('error', (e) => { out = [e.code, s.bytesWritten]; resolve() }) })"
    expect(await inside(body)).toEqual(['EREQUESTTOOLARGE', 11 * 1024 * 1024])
  })

  it('are read and written two thousand times at most', async () => {
    const body =
      "await new Promise((resolve) => { const s = net.connect(at.drip, '127.0.0.1'); let parts = 0; s.on('data', () => { parts += 1 }); s.on('error', (e) => { out = [e.code, parts]; resolve() }) })"
    expect(await inside(body)).toEqual(['ETOOMANYREQUESTS', 2000])
  })
})

it('a service that fails five times in a row is not connected to for a while', async () => {
  const body =
    "out = []; for (let n = 0; n < 6; n += 1) await new Promise((resolve) => net.connect(at.closed, '127.0.0.1').on('error', (e) => { out.push(e.code); resolve() }))"
  const makers = actionBench()
  const { effects } = await run(body, makers)
  makers.close()
  expect(JSON.parse(String(effects.idTokenClaims['https://a.test/out']))).toEqual([
    ...Array(5).fill('ECONNREFUSED'),
    'EBREAKER',
  ])
})

it('a request of fetch has no port of mail either', async () => {
  expect(await inside("out = await fetch('http://127.0.0.1:587/').catch((e) => e.cause.code)")).toBe('EMAILPORT')
})
