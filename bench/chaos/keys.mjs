// What a relying party does with an ID token: looks its key up, fetches the keys anew when it does not know one, verifies.
// A key that cannot be found, and a token that is not of this minute, are broken promises.
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { persist } from './clients/persist.mjs'

/** The signature itself is verified of every so many tokens: it costs the clients more than the server. */
const VERIFIED_EVERY = 10
const WRONG_BY_SECONDS = 60

export function createKeys({ side, journal, http }) {
  const known = new Set()
  /** What tokens were signed with; the next key is published before it signs. */
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
      if (Math.abs(iat - Date.now() / 1000) > WRONG_BY_SECONDS) journal.breach('an ID token bears a wrong time')
      if (checked++ % VERIFIED_EVERY === 0) await jwtVerify(token, verify, { algorithms: ['RS256'] })
    },
  }
}
