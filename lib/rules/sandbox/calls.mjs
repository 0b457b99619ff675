// Operations of the host that answer at once, for the large image: what the interpreter lacks and Node.js has, such as hashes. They take
// untrusted JSON and bytes, reach no file, network or environment, and bound what they make.
import { bcrypt } from './calls/bcrypt.mjs'
import { crypto } from './calls/crypto.mjs'
import { encodings } from './calls/encodings.mjs'
import { intl } from './calls/intl.mjs'
import { keys } from './calls/keys.mjs'
import { text } from './calls/text.mjs'
import { url } from './calls/url.mjs'
import { zlib } from './calls/zlib.mjs'

export const CALLS = { ...bcrypt, ...crypto, ...encodings, ...intl, ...keys, ...text, ...url, ...zlib }
