// The parts of a browser that a login needs: cookies with paths, redirects within the server, and the sign-in form of a page.
// It is independent of the server, so both servers are driven in the same way.
import { formPost } from './http.mjs'

/** Headers of a browser navigation; servers read some of them, which is part of their work. */
const NAVIGATION = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-GB,en;q=0.8',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const ENTITIES = { '&amp;': '&', '&quot;': '"', '&#x27;': "'", '&#39;': "'", '&lt;': '<', '&gt;': '>' }

const decode = (text) => text.replace(/&(?:amp|quot|lt|gt|#x27|#39);/g, (entity) => ENTITIES[entity])
const attribute = (tag, name) => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : decode(value)
}

/** The sign-in form of a page: its target and its hidden fields. */
export function readForm(html) {
  const form = html.match(/<form\b[\s\S]*?<\/form>/g)?.find((text) => text.includes('type="password"'))
  if (!form) throw new Error(`no form with a password in the page: ${html.slice(0, 300)}`)
  return { action: attribute(/<form\b[^>]*>/.exec(form)[0], 'action'), fields: readHidden(form) }
}

/** The hidden fields of a form. */
export function readHidden(html) {
  const hidden = [...html.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)].map(([tag]) => tag)
  return Object.fromEntries(hidden.map((tag) => [attribute(tag, 'name'), attribute(tag, 'value') ?? '']))
}

function parseCookie(line) {
  const [pair, ...attributes] = line.split(/;\s*/)
  const equals = pair.indexOf('=')
  const read = (name) => attributes.find((text) => text.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1)
  const expires = read('expires')
  const gone = read('max-age') === '0' || (expires !== undefined && Date.parse(expires) <= Date.now())
  return { name: pair.slice(0, equals), value: pair.slice(equals + 1), path: read('path') ?? '/', gone }
}

const covers = (cookiePath, path) =>
  cookiePath === '/' || path === cookiePath || path.startsWith(cookiePath.endsWith('/') ? cookiePath : `${cookiePath}/`)

/** `cookies`: of an earlier browser. */
export function createBrowser(http, cookies = new Map()) {
  const cookieHeader = (path) => {
    const pathname = path.split('?', 1)[0]
    const pairs = [...cookies.values()].filter((cookie) => covers(cookie.path, pathname))
    return pairs.length === 0 ? undefined : pairs.map(({ name, value }) => `${name}=${value}`).join('; ')
  }

  const keep = (lines) => {
    for (const line of lines === undefined ? [] : [lines].flat()) {
      const cookie = parseCookie(line)
      const key = `${cookie.name};${cookie.path}`
      if (cookie.gone) cookies.delete(key)
      else cookies.set(key, cookie)
    }
  }

  /** Sends a request and follows redirects until a page, or a redirect to another origin. */
  async function visit(request) {
    const cookie = cookieHeader(request.path)
    const response = await http.send({
      ...request,
      headers: { ...NAVIGATION, ...request.headers, ...(cookie && { cookie }) },
    })
    keep(response.headers['set-cookie'])
    if (!REDIRECTS.has(response.status)) return { page: response }
    const target = new URL(response.headers.location, http.origin + request.path)
    if (target.origin !== http.origin) return { left: target }
    return visit({ path: target.pathname + target.search })
  }

  return {
    cookies,
    open: (path) => visit({ path, headers: { 'sec-fetch-site': 'cross-site' } }),
    submit: (path, fields) => visit(formPost(path, fields, { origin: http.origin, 'sec-fetch-site': 'same-origin' })),
  }
}
