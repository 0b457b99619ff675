// Operations of the host that answer at once, for the large image: what the interpreter lacks and Node.js has, such as hashes. They take
// untrusted JSON and bytes, reach no file, network or environment, and bound what they make.
import { intl } from './calls/intl.mjs'
import { text } from './calls/text.mjs'
import { url } from './calls/url.mjs'

export const CALLS = { ...intl, ...text, ...url }
