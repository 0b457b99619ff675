// Reduces the target of a request line (RFC 9112 3.2) to path and query before routing (threat-model.md BF12).
// - A target in absolute form is accepted if its host equals the Host header, as the section requires of clients.
// - Doubled slashes and backslashes in a path are refused: browsers, proxies and frameworks read them differently, and for a
//   browser `//evil.test/` is another host. No path of this server contains them.

/** A path without an endpoint, used for refused targets. */
export const NOWHERE = '/.no-such-target'

export function originForm(target: string, host: string | undefined): string {
  const form = target.startsWith('/') ? target : withoutAuthority(target, host)
  return form === null || AMBIGUOUS.test(form) ? NOWHERE : form
}

const AMBIGUOUS = /^[^?]*(?:\/\/|\\)/
const ABSOLUTE = /^https?:\/\/([^/?#]+)(.*)$/i

function withoutAuthority(target: string, host: string | undefined): string | null {
  const [, authority, rest = ''] = ABSOLUTE.exec(target) ?? []
  if (authority === undefined || authority.toLowerCase() !== host?.toLowerCase()) return null
  return rest.startsWith('/') ? rest : `/${rest}`
}
