// Operations of the host that answer at once, for the large image: what the interpreter lacks and Node.js has, such as hashes. They take
// untrusted JSON and bytes, reach no file, network or environment, and bound what they make.
import { bcrypt } from './calls/bcrypt.mjs'
import { crypto } from './calls/crypto.mjs'
import { intl } from './calls/intl.mjs'
import { keys } from './calls/keys.mjs'
import { text } from './calls/text.mjs'
import { tls } from './calls/tls.mjs'
import { url } from './calls/url.mjs'
import { zlib } from './calls/zlib.mjs'

/** Those whose answer depends on their input alone. */
export const SAME = new Set([
  ...['crypto.lists', 'crypto.constants', 'crypto.cipherInfo', 'crypto.hash', 'crypto.hmac', 'crypto.pbkdf2'],
  ...['crypto.scrypt', 'crypto.hkdf', 'crypto.verify', 'keys.read', 'keys.certificate'],
  ...[...Object.keys(intl), ...Object.keys(text), ...Object.keys(tls), ...Object.keys(url), ...Object.keys(zlib)],
])

export const CALLS = { ...bcrypt, ...crypto, ...intl, ...keys, ...text, ...tls, ...url, ...zlib }
