// Reduces the target of a request line (RFC 9112 3.2) to path and query before routing (threat-model.md BF12).
// - A target in absolute form is accepted if its host equals the Host header, as the section requires of clients.
// - Doubled slashes, backslashes, dot segments and fragments are refused: browsers, proxies and frameworks read them differently.
//   For a browser `//evil.test/` is another host, and for a framework `/demo/.` is `/demo`. No path of this server contains them.

/** A path without an endpoint, used for refused targets. */
export const NOWHERE = '/.no-such-target'

/** A target without its query. */
export function pathOf(target: string): string {
  const end = target.indexOf('?')
  return end < 0 ? target : target.slice(0, end)
}

/** `/authorize/` means `/authorize`. */
export const withoutSlash = (path: string): string => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)

export function originForm(target: string, host: string | undefined): string {
  const form = target.startsWith('/') ? target : withoutAuthority(target, host)
  return form === null || AMBIGUOUS.test(form) ? NOWHERE : form
}

const AMBIGUOUS = /^[^?]*(?:\/\/|\\|#|\/(?:\.|%2e){1,2}(?:[/?]|$))/i
const ABSOLUTE = /^https?:\/\/([^/?#]+)(.*)$/i

function withoutAuthority(target: string, host: string | undefined): string | null {
  const [, authority, rest = ''] = ABSOLUTE.exec(target) ?? []
  if (authority === undefined || authority.toLowerCase() !== host?.toLowerCase()) return null
  return rest.startsWith('/') ? rest : `/${rest}`
}
