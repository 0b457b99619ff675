// The proxy of outgoing HTTP requests, from the variables that other programs read too: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and
// NO_PROXY, each also in lower case, which comes first (as in curl).

export type OutboundProxy = {
  /** Addresses of proxies, perhaps with credentials, by the scheme of the request. */
  https: string | undefined
  http: string | undefined
  /** The entries of NO_PROXY. */
  exceptions: string[]
  /** Names that are not found here are left to the proxy, also where a tenant chose them. `always`: it gets names that were judged here, too. */
  resolves: ProxyResolves
}

export type ProxyResolves = boolean | 'always'

type Given = Readonly<Record<string, string | undefined>>

/** The sentences name the variable and never its value, which may hold a password. */
export function readOutboundProxy(given: Given, resolves: ProxyResolves): { proxy: OutboundProxy; problems: string[] } {
  const all = variable(given, 'ALL_PROXY')
  const named = { https: variable(given, 'HTTPS_PROXY') ?? all, http: variable(given, 'HTTP_PROXY') ?? all }
  const problems = [
    ...new Set(Object.values(named).flatMap((each) => (each && !addressOf(each.value) ? each.name : []))),
  ].map((name) => `${name} must be a proxy such as http://proxy.example.com:3128.`)
  if (!named.https && !named.http) problems.push('LATCHKEY_OUTBOUND_PROXY needs HTTPS_PROXY: set it to the proxy.')
  const exceptions = (variable(given, 'NO_PROXY')?.value ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
  const [https, http] = [named.https, named.http].map((each) => each && addressOf(each.value))
  return { proxy: { https, http, exceptions, resolves }, problems }
}

function variable(given: Given, upper: string): { name: string; value: string } | undefined {
  for (const name of [upper.toLowerCase(), upper]) {
    const value = given[name]
    if (value !== undefined) return { name, value }
  }
  return undefined
}

function addressOf(value: string): string | undefined {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`
  if (/\s/.test(text) || !URL.canParse(text)) return undefined
  const { protocol, pathname, search, hash, href } = new URL(text)
  return /^https?:$/.test(protocol) && pathname === '/' && search + hash === '' ? href : undefined
}
