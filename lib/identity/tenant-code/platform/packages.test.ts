// Packages of npm inside the sandbox: as bundles in the code of an action, which requires the modules of Node.js.
import { generateKeyPairSync } from 'node:crypto'
import { builtinModules } from 'node:module'
import { build } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { actionBench, loginEvent } from '../../../testing/actions'

const bench = actionBench()
afterAll(() => bench.close())

async function bundled(name: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: `module.exports = require(${JSON.stringify(name)})`, resolveDir: process.cwd() },
    write: false,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    external: builtinModules.flatMap((each) => [each, `node:${each}`]),
  })
  return outputFiles[0]?.text ?? ''
}

const pem = {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048, ...pem })
const EC = generateKeyPairSync('ec', { namedCurve: 'P-256', ...pem })

const printed = async (name: string, body: string) => {
  const code = `const RSA = ${JSON.stringify(RSA)}, EC = ${JSON.stringify(EC)}
    const p = (() => { const module = { exports: {} }, exports = module.exports; ${await bundled(name)}; return module.exports })()
    exports.onExecutePostLogin = async () => { ${body} }`
  const engine = bench.engine({ code })
  await engine.run('post-login', loginEvent())
  const [record] = engine.records
  return record?.outcome === 'ok' ? record.lines.map(({ text }) => text) : [record?.reason]
}

const JWT = `const out = []
  for (const [algorithm, key, check] of [['HS256', 'secret', 'secret'], ['RS256', RSA.privateKey, RSA.publicKey], ['PS256', RSA.privateKey, RSA.publicKey], ['ES256', EC.privateKey, EC.publicKey]])
    out.push(p.verify(p.sign({ a: algorithm }, key, { algorithm, expiresIn: '1h' }), check, { algorithms: [algorithm] }).a)
  try { p.verify(p.sign({}, 'secret'), 'other') } catch (error) { out.push(error.message) }
  try { p.verify(p.sign({}, RSA.privateKey, { algorithm: 'RS256' }), EC.publicKey) } catch (error) { out.push(error.message) }
  console.log(JSON.stringify(out))`

const JOSE = `const secret = new Uint8Array(32).fill(7); const out = []
  for (const [alg, pair] of [['RS256', RSA], ['PS256', RSA], ['ES256', EC]]) {
    const token = await new p.SignJWT({ alg }).setProtectedHeader({ alg }).setIssuer('me').setExpirationTime('1h').sign(await p.importPKCS8(pair.privateKey, alg))
    out.push((await p.jwtVerify(token, await p.importSPKI(pair.publicKey, alg), { issuer: 'me' })).payload.alg)
  }
  out.push((await p.jwtDecrypt(await new p.EncryptJWT({ a: 'dir' }).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(secret), secret)).payload.a)
  for (const [alg, enc, pair] of [['RSA-OAEP-256', 'A128CBC-HS256', RSA], ['ECDH-ES+A128KW', 'A128GCM', EC]]) {
    const made = await new p.CompactEncrypt(secret).setProtectedHeader({ alg, enc }).encrypt(await p.importSPKI(pair.publicKey, alg))
    out.push((await p.compactDecrypt(made, await p.importPKCS8(pair.privateKey, alg))).plaintext.length)
  }
  const token = await new p.SignJWT({}).setProtectedHeader({ alg: 'HS256' }).sign(secret)
  await p.jwtVerify(token, new Uint8Array(32)).catch((error) => out.push(error.code))
  console.log(JSON.stringify(out))`

describe('packages of npm', () => {
  it('signs and verifies with jsonwebtoken', async () => {
    expect(await printed('jsonwebtoken', JWT)).toEqual([
      '["HS256","RS256","PS256","ES256","invalid signature","invalid signature"]',
    ])
  })

  it('signs, verifies and encrypts with jose', async () => {
    expect(await printed('jose', JOSE)).toEqual([
      '["RS256","PS256","ES256","dir",32,32,"ERR_JWS_SIGNATURE_VERIFICATION_FAILED"]',
    ])
  })

  it('derives keys with @panva/hkdf', async () => {
    const body = 'console.log(Buffer.from(await p.hkdf("sha256", "key", "salt", "info", 8)).toString("hex"))'
    expect(await printed('@panva/hkdf', body)).toEqual(['9ca0d662557439e3'])
  })

  it.each([
    ['uuid', 'console.log(p.v5("a", p.v5.URL), p.validate(p.v4()))', 'e1407479-3136-56c0-9908-bb02fb0339e2 true'],
    ['lodash', 'console.log(p.get({ a: [{ b: 1 }] }, "a[0].b"), p.template("<%= a %>")({ a: 2 }))', '1 2'],
    ['ipaddr.js', 'console.log(p.parse("10.1.2.3").match(p.parseCIDR("10.0.0.0/8")))', 'true'],
    ['debug', 'p.enable("x"); p("x")("said %d", 1)', expect.stringContaining('said 1')],
  ])('runs %s', async (name, body, line) => {
    expect(await printed(name, body)).toEqual([line])
  })

  it('reads XML with @xmldom/xmldom', async () => {
    const body =
      'console.log(new p.DOMParser().parseFromString("<a><b>1</b></a>", "text/xml").documentElement.textContent)'
    expect(await printed('@xmldom/xmldom', body)).toEqual(['1'])
  })
})
