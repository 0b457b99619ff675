// Cryptography inside the sandbox: the same code has the same output there and in Node.js, and each bound refuses.

import { generateKeyPairSync } from 'node:crypto'
import { createRequire } from 'node:module'
import { afterAll, describe, expect, it } from 'vitest'
import { actionBench, loginEvent } from '../../../testing/actions'

const bench = actionBench()
afterAll(() => bench.close())

const pem = {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048, ...pem })
const EC = generateKeyPairSync('ec', { namedCurve: 'P-256', ...pem })
const ED = generateKeyPairSync('ed25519', pem)
const LARGE = generateKeyPairSync('rsa', { modulusLength: 4104, ...pem })
const DSA = generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160, ...pem })
/** DER with short lengths. */
const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, content.length]), content])
}
const hex = (text: string): Buffer => Buffer.from(text, 'hex')
/** An encrypted key that takes 2^31 - 1 iterations (RFC 8018). */
const derivation = der(
  0x30,
  der(0x06, hex('2a864886f70d01050c')),
  der(0x30, der(0x04, Buffer.alloc(8)), hex('02047fffffff')),
)
const cipher = der(0x30, der(0x06, hex('60864801650304012a')), der(0x04, Buffer.alloc(16)))
const scheme = der(0x30, der(0x06, hex('2a864886f70d01050d')), der(0x30, derivation, cipher))
const SLOW_DER = der(0x30, scheme, der(0x04, Buffer.alloc(16))).toString('base64')
const SLOW = `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${SLOW_DER}\n-----END ENCRYPTED PRIVATE KEY-----\n`
const OLD =
  '-----BEGIN ENCRYPTED PRIVATE KEY-----\nMBowDgYKKoZIhvcNAQwBAzAABAgAAAAAAAAAAA==\n-----END ENCRYPTED PRIVATE KEY-----\n'

const KEYS = `const RSA = ${JSON.stringify(RSA)}, EC = ${JSON.stringify(EC)}, ED = ${JSON.stringify(ED)};
const bytes = (b) => Buffer.from(b).toString('hex'); const text = (t) => new Uint8Array(Buffer.from(t)); const c = require('crypto'); const { subtle } = c.webcrypto;`

/** Of what is thrown, the message. */
const inside = async (body: string, keys = KEYS): Promise<unknown> => {
  const engine = bench.login(`${keys} const out = async () => {${body}\n}
    try { console.log(JSON.stringify(await out())) } catch (error) { console.log('threw ' + error.name + ': ' + error.message) }`)
  await engine.run('post-login', loginEvent())
  const [record] = engine.records
  const line = record?.lines[0]?.text
  return line === undefined ? record?.reason : line.startsWith('threw ') ? line : JSON.parse(line)
}

const require = createRequire(import.meta.url)
const AsyncFunction = (async () => {}).constructor as new (
  ...args: string[]
) => (...args: unknown[]) => Promise<unknown>
const outside = async (body: string): Promise<unknown> =>
  JSON.parse(JSON.stringify(await new AsyncFunction('require', `${KEYS}${body}`)(require)))

const SAME = [
  'return ["md5", "sha1", "sha256", "sha512"].map((a) => c.createHash(a).update("a").update(Buffer.from("b")).digest("hex"))',
  'return [c.createHmac("sha256", "key").update("a").digest("base64"), c.createHmac("sha1", c.createSecretKey(Buffer.from("key"))).update("a").digest("base64url")]',
  'const h = c.createHash("sha256").update("a"); const other = h.copy(); return [h.digest("hex"), other.update("b").digest("hex"), c.createHash("shake256", { outputLength: 5 }).digest("hex")]',
  'const h = c.createHash("sha256"); h.digest(); h.update("a")',
  'c.createHash("nothing")',
  'return [c.pbkdf2Sync("pw", "salt", 1000, 32, "sha512").toString("hex"), c.scryptSync("pw", "salt", 32, { N: 1024 }).toString("hex"), bytes(c.hkdfSync("sha256", "key", "salt", "info", 20))]',
  'const { promisify } = require("util"); return [(await promisify(c.pbkdf2)("pw", "s", 1, 8, "sha1")).toString("hex"), (await promisify(c.scrypt)("pw", "s", 8)).toString("hex"), (await promisify(c.randomBytes)(5)).length]',
  'const key = Buffer.alloc(32, 1), iv = Buffer.alloc(16, 2); const e = c.createCipheriv("aes-256-cbc", key, iv); const made = e.update("secret text that is longer than a block", "utf8", "hex") + e.final("hex"); const d = c.createDecipheriv("aes-256-cbc", key, iv); return [made, d.update(made, "hex", "utf8") + d.final("utf8")]',
  'const key = Buffer.alloc(32, 1), iv = Buffer.alloc(12, 2); const e = c.createCipheriv("aes-256-gcm", key, iv); e.setAAD(Buffer.from("about")); const made = Buffer.concat([e.update("abc"), e.update("def"), e.final()]); const tag = e.getAuthTag(); const d = c.createDecipheriv("aes-256-gcm", key, iv); d.setAAD(Buffer.from("about")); d.setAuthTag(tag); return [made, tag, d.update(made, null, "utf8") + d.final("utf8")]',
  'const key = Buffer.alloc(16, 1), iv = Buffer.alloc(12, 2); const d = c.createDecipheriv("aes-128-gcm", key, iv); d.setAuthTag(Buffer.alloc(16)); d.update("aa", "hex"); d.final()',
  'const key = Buffer.alloc(16, 1), iv = Buffer.alloc(16, 2); const e = c.createCipheriv("aes-128-ctr", key, iv); return [e.update("a", "utf8", "hex"), e.update("bc", "utf8", "hex"), e.final("hex")]',
  'c.createCipheriv("aes-256-cbc", "short", Buffer.alloc(16))',
  'c.createCipheriv("nothing", "short", Buffer.alloc(16))',
  'const s = c.createSign("RSA-SHA256").update("a").sign(RSA.privateKey, "base64"); return [s, c.createVerify("RSA-SHA256").update("a").verify(RSA.publicKey, s, "base64"), c.createVerify("sha256").update("b").verify(RSA.publicKey, s, "base64")]',
  'const how = { padding: c.constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }; const s = c.sign("sha256", text("a"), { key: RSA.privateKey, ...how }); return c.verify("sha256", text("a"), { key: RSA.publicKey, ...how }, s)',
  'const s = c.sign("sha256", text("a"), { key: EC.privateKey, dsaEncoding: "ieee-p1363" }); return [s.length, c.verify("sha256", text("a"), { key: EC.publicKey, dsaEncoding: "ieee-p1363" }, s), c.verify("sha256", text("b"), { key: EC.publicKey, dsaEncoding: "ieee-p1363" }, s)]',
  'const s = c.sign(null, text("a"), ED.privateKey); return [s.toString("hex"), c.verify(null, text("a"), ED.publicKey, s)]',
  'const how = { padding: c.constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" }; return c.privateDecrypt({ key: RSA.privateKey, ...how }, c.publicEncrypt({ key: RSA.publicKey, ...how }, text("m"))).toString()',
  'return c.publicDecrypt(RSA.publicKey, c.privateEncrypt(RSA.privateKey, text("m"))).toString()',
  'const k = c.createPrivateKey(RSA.privateKey); const p = c.createPublicKey(k); return [k.type, k.asymmetricKeyType, k.asymmetricKeyDetails.modulusLength, String(k.asymmetricKeyDetails.publicExponent), p.type, p.export({ format: "pem", type: "spki" }) === RSA.publicKey, p.export({ format: "jwk" }), p.equals(c.createPublicKey(RSA.publicKey)), c.createPublicKey({ key: p.export({ format: "jwk" }), format: "jwk" }).equals(p)]',
  'const k = c.createPrivateKey(EC.privateKey); return [k.asymmetricKeyDetails, Object.keys(k.export({ format: "jwk" })).sort(), k.export({ format: "der", type: "pkcs8" }).toString("hex"), k.export({ format: "pem", type: "sec1" })]',
  'const k = c.createSecretKey("00ff", "hex"); return [k.type, k.symmetricKeySize, k.export(), k.export({ format: "jwk" }), k.equals(c.createSecretKey(Buffer.from([0, 255])))]',
  'const k = c.createPrivateKey(RSA.privateKey).export({ format: "pem", type: "pkcs8", cipher: "aes-256-cbc", passphrase: "pw" }); return [k.split("\\n")[0], c.createPrivateKey({ key: k, passphrase: "pw" }).type]',
  'c.createPrivateKey("nothing")',
  'c.createPublicKey(c.createSecretKey(Buffer.from("a")))',
  'const a = c.generateKeyPairSync("ec", { namedCurve: "P-256" }); const b = c.generateKeyPairSync("ec", { namedCurve: "P-256" }); return c.diffieHellman({ privateKey: a.privateKey, publicKey: b.publicKey }).equals(c.diffieHellman({ privateKey: b.privateKey, publicKey: a.publicKey }))',
  'const pair = await require("util").promisify(c.generateKeyPair)("ed25519", { publicKeyEncoding: { type: "spki", format: "pem" }, privateKeyEncoding: { type: "pkcs8", format: "pem" } }); return [pair.publicKey.length, pair.privateKey.length]',
  'const a = c.createECDH("prime256v1"), b = c.createECDH("prime256v1"); a.generateKeys(); b.generateKeys(); return [a.computeSecret(b.getPublicKey()).equals(b.computeSecret(a.getPublicKey())), a.getPublicKey("hex").length]',
  'const n = c.randomInt(3, 5); return [n >= 3 && n < 5, /^[0-9a-f-]{36}$/.test(c.randomUUID()), c.randomBytes(7).length, c.randomFillSync(Buffer.alloc(3)).length, c.getHashes().includes("sha256"), c.getCiphers().includes("aes-256-gcm"), c.timingSafeEqual(Buffer.from("a"), Buffer.from("a"))]',
  'c.timingSafeEqual(Buffer.from("a"), Buffer.from("ab"))',
  'const { Readable } = require("stream"); const h = c.createHash("sha256"); await require("stream/promises").pipeline(Readable.from([Buffer.from("a")]), h); return h.digest ? h.read().toString("hex") : 0',
  // WebCrypto
  'return bytes(await subtle.digest("SHA-256", text("a")))',
  'await subtle.digest("SHA-3", text("a"))',
  'const k = await subtle.importKey("raw", text("key"), { name: "HMAC", hash: "SHA-256" }, true, ["sign", "verify"]); const s = await subtle.sign("HMAC", k, text("a")); return [bytes(s), await subtle.verify("HMAC", k, s, text("a")), await subtle.verify("HMAC", k, s, text("b")), k.algorithm, k.usages, k.type, await subtle.exportKey("jwk", k)]',
  'const k = await subtle.importKey("raw", Buffer.alloc(32, 1), "AES-GCM", false, ["encrypt", "decrypt"]); const how = { name: "AES-GCM", iv: Buffer.alloc(12, 2), additionalData: text("b") }; const e = await subtle.encrypt(how, k, text("a")); return [bytes(e), bytes(await subtle.decrypt(how, k, e)), k.algorithm]',
  'const k = await subtle.importKey("raw", Buffer.alloc(32, 1), "AES-GCM", false, ["encrypt", "decrypt"]); await subtle.decrypt({ name: "AES-GCM", iv: Buffer.alloc(12, 2) }, k, Buffer.alloc(40))',
  'await subtle.importKey("raw", Buffer.alloc(31, 1), "AES-GCM", false, ["encrypt"])',
  'return await Promise.all(["AES-CBC", "AES-CTR"].map(async (name) => { const k = await subtle.importKey("raw", Buffer.alloc(16, 1), name, true, ["encrypt", "decrypt"]); const how = { name, iv: Buffer.alloc(16), counter: Buffer.alloc(16), length: 64 }; const e = await subtle.encrypt(how, k, text("a")); return [bytes(e), bytes(await subtle.decrypt(how, k, e))] }))',
  'const der = c.createPrivateKey(RSA.privateKey).export({ format: "der", type: "pkcs8" }); const k = await subtle.importKey("pkcs8", der, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }, true, ["sign"]); const jwk = await subtle.exportKey("jwk", k); return [bytes(await subtle.sign("RSASSA-PKCS1-v1_5", k, text("a"))), jwk.alg, jwk.key_ops, k.algorithm, bytes(k.algorithm.publicExponent)]',
  'const pair = await subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]); const s = await subtle.sign({ name: "ECDSA", hash: "SHA-256" }, pair.privateKey, text("a")); const raw = await subtle.exportKey("raw", pair.publicKey); const p = await subtle.importKey("raw", raw, { name: "ECDSA", namedCurve: "P-256" }, true, ["verify"]); return [s.byteLength, raw.byteLength, await subtle.verify({ name: "ECDSA", hash: "SHA-256" }, p, s, text("a")), pair.privateKey.usages, pair.publicKey.usages]',
  'const a = await subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits", "deriveKey"]); const b = await subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]); return bytes(await subtle.deriveBits({ name: "ECDH", public: b.publicKey }, a.privateKey, 256)) === bytes(await subtle.deriveBits({ name: "ECDH", public: a.publicKey }, b.privateKey, 256))',
  'const k = await subtle.importKey("raw", text("pw"), "PBKDF2", false, ["deriveBits", "deriveKey"]); const how = { name: "PBKDF2", hash: "SHA-256", salt: text("s"), iterations: 100 }; const d = await subtle.deriveKey(how, k, { name: "AES-GCM", length: 256 }, true, ["encrypt"]); return [bytes(await subtle.deriveBits(how, k, 128)), bytes(await subtle.exportKey("raw", d))]',
  'const k = await subtle.importKey("raw", text("pw"), "HKDF", false, ["deriveBits"]); return bytes(await subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt: text("s"), info: text("i") }, k, 128))',
  'const w = await subtle.importKey("raw", Buffer.alloc(16, 1), "AES-KW", false, ["wrapKey", "unwrapKey"]); const k = await subtle.importKey("raw", Buffer.alloc(16, 3), "AES-GCM", true, ["encrypt"]); const wrapped = await subtle.wrapKey("raw", k, w, "AES-KW"); const back = await subtle.unwrapKey("raw", wrapped, w, "AES-KW", "AES-GCM", true, ["encrypt"]); return [bytes(wrapped), bytes(await subtle.exportKey("raw", back))]',
  'await subtle.importKey("jwk", { kty: "oct", k: "AA" }, { name: "ECDSA", namedCurve: "P-256" }, true, ["verify"])',
  'const a = new Uint8Array(4); return [c.webcrypto.getRandomValues(a) === a, c.webcrypto.randomUUID().length, Object.prototype.toString.call(c.webcrypto)]',
]

describe('cryptography', () => {
  it.each(SAME)('is that of Node.js: %s', async (body) => {
    let expected: unknown
    try {
      expected = await outside(body)
    } catch (error) {
      expected = `threw ${(error as Error).name}: ${(error as Error).message}`
    }
    expect(await inside(body)).toEqual(expected)
  })

  it('is the global of the web too', async () => {
    expect(
      await inside(
        'return [crypto === c.webcrypto, crypto.subtle === subtle, typeof CryptoKey, require("node:crypto") === c]',
      ),
    ).toEqual([true, true, 'function', true])
  })

  it.each([
    ['c.pbkdf2Sync("a", "b", 1000001, 32, "sha256")', 'must be >= 1 and <= 1000000'],
    ['c.pbkdf2Sync("a", "b", 1000000, 128, "sha256")', 'must be >= 1 and <= 500000'],
    ['c.pbkdf2Sync("a", "b", 1, 1025, "sha256")', 'must be >= 0 and <= 1024'],
    ['c.scryptSync("a", "b", 32, { N: 65536, maxmem: 2 ** 30 })', 'memory limit exceeded'],
    ['c.scryptSync("a", "b", 32, { N: 32768, p: 17 })', 'must be >= 1 and <= 16'],
    ['c.hkdfSync("sha256", "a", "b", "c", 9999999)', 'must be >= 0 and <= 1048576'],
    ['c.randomBytes(1048577)', 'must be >= 0 and <= 1048576'],
    ['c.randomBytes(-1)', 'must be >= 0'],
    ['c.createHash("shake256", { outputLength: 2 ** 30 }).digest()', 'must be >= 0 and <= 1048576'],
    ['c.generateKeyPairSync("rsa", { modulusLength: 4096 })', 'must be >= 512 and <= 3072'],
    ['c.generateKeyPairSync("rsa", { modulusLength: 2048, publicExponent: 7 })', 'the public exponent is 3 or 65537'],
    ['c.generateKeyPairSync("dsa", { modulusLength: 2048 })', 'there is no key pair of type dsa'],
    ['c.createPublicKey("a".repeat(17000))', 'a key has at most 16384 bytes'],
    [
      `c.sign("sha256", text("a"), ${JSON.stringify(LARGE.privateKey)})`,
      'an RSA key of an action has at most 4096 bits',
    ],
    [
      'c.createPublicKey({ key: { kty: "RSA", e: "AQAB", n: "A".repeat(17000) }, format: "jwk" })',
      'a key has at most 16384 bytes',
    ],
    [
      `c.createPrivateKey({ key: ${JSON.stringify(SLOW)}, passphrase: "pw" })`,
      'the passphrase of a key takes at most 1000000 iterations',
    ],
    [
      `c.createPrivateKey({ key: Buffer.from(${JSON.stringify(SLOW_DER)}, "base64"), format: "der", type: "pkcs8", passphrase: "pw" })`,
      'the passphrase of a key takes at most 1000000 iterations',
    ],
    [
      `c.createPrivateKey({ key: ${JSON.stringify(OLD)}, passphrase: "pw" })`,
      'an encrypted key of an action is PBES2 with PBKDF2',
    ],
    [`c.createPublicKey(${JSON.stringify(DSA.publicKey)})`, 'a key of type dsa is not for actions'],
    ['c.webcrypto.getRandomValues(new Uint8Array(65537))', 'exceeds 65,536 bytes'],
    [
      'await subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt: text("s"), iterations: 2000000 }, await subtle.importKey("raw", text("a"), "PBKDF2", false, ["deriveBits"]), 256)',
      'must be >= 1 and <= 1000000',
    ],
  ])('is bounded: %s', async (body, message) => {
    expect(await inside(body)).toMatch(message)
  })

  it.each([
    ['new c.KeyObject()', 'TypeError: Illegal constructor'],
    [
      'await subtle.exportKey("raw", await subtle.importKey("raw", Buffer.alloc(32), "AES-GCM", false, ["encrypt"]))',
      'InvalidAccessError: key is not extractable',
    ],
    [
      'await subtle.decrypt({ name: "AES-GCM", iv: Buffer.alloc(12) }, await subtle.importKey("raw", Buffer.alloc(32), "AES-GCM", false, ["encrypt"]), Buffer.alloc(40))',
      'InvalidAccessError: Unable to use this key to decrypt',
    ],
    [
      'await subtle.importKey("raw", Buffer.alloc(32), "AES-GCM", false, ["sign"])',
      'SyntaxError: Unsupported key usage',
    ],
    ['await subtle.importKey("raw", Buffer.alloc(32), "AES-GCM", false, [])', 'SyntaxError: Usages cannot be empty'],
  ])('refuses keys that are not for this: %s', async (body, message) => {
    expect(await inside(body)).toMatch(`threw ${message}`)
  })

  it('keeps scrypt within its memory', async () => {
    expect(await inside('return c.scryptSync("a", "b", 8, { N: 32768, maxmem: 2 ** 30 }).length')).toBe(8)
  })
})
