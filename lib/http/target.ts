// The target of a request line (RFC 9112 3.2), reduced to a path and query before anything routes by it (threat-model.md BF12).
// - A target in absolute form counts where it names the host that the Host header names, as that section demands of clients.
// - Doubled slashes and backslashes in a path are what a browser, a proxy and a framework read differently: `//evil.test/`
//   is another host for a browser. No address of ours has them.

/** Where nothing is, for targets that are none of ours. */
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
