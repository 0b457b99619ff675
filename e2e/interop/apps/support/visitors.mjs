// The sessions of an app. Cookies do not distinguish ports, so the cookie's name contains the port.
import { randomUUID } from 'node:crypto'

export function keepVisitors(port) {
  const name = `visitor-${port}`
  const known = new Map()
  const keyOf = ({ headers }) => new RegExp(`${name}=([^;]+)`).exec(headers.cookie ?? '')?.[1]
  return {
    of: (request) => known.get(keyOf(request)) ?? null,
    enter(response, visitor) {
      const key = randomUUID()
      known.set(key, visitor)
      response.cookie(name, key, { httpOnly: true })
    },
    leave: (request) => known.delete(keyOf(request)),
    /** All sessions of a user, in any browser: an identity provider does not have the app's cookies. */
    leaveWhere(isMeant) {
      for (const [key, visitor] of known) if (isMeant(visitor)) known.delete(key)
    },
  }
}
