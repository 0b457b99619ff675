// Verification of ID tokens by a relying party: look up the key, fetch the keys again if it is unknown, verify. A missing key,
// or a token that was not issued within the last minute, is a broken guarantee.
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { persist } from './clients/persist.mjs'

/** Only every n-th signature is verified, since verification costs the clients more than the server. */
const VERIFIED_EVERY = 10
const WRONG_BY_SECONDS = 60

export function createKeys({ side, journal, http }) {
  const known = new Set()
  /** Key ids that have signed tokens; the next key is published before it signs. */
  const used = new Set()
  let verify
  let checked = 0

  async function fetchKeys() {
    const { text } = await persist(() => http.send({ path: side.paths.jwks }))
    const set = JSON.parse(text)
    for (const { kid } of set.keys) known.add(kid)
    verify = createLocalJWKSet(set)
  }

  return {
    used,
    async check(token) {
      const { kid } = decodeProtectedHeader(token)
      if (!known.has(kid)) await fetchKeys()
      if (!known.has(kid)) return journal.breach('an ID token was signed with a key that is not published')
      used.add(kid)
      const { iat } = decodeJwt(token)
      if (Math.abs(iat - Date.now() / 1000) > WRONG_BY_SECONDS) throw new Error('an ID token bears a wrong time')
      if (checked++ % VERIFIED_EVERY === 0) await jwtVerify(token, verify, { algorithms: ['RS256'] })
    },
  }
}
