// As much of a browser as a login needs: cookies with their paths, redirects within the server, and the first form
// of a page. It does not know either server: it follows what it is sent, so both sides are driven the same way.
import { formPost } from './http.mjs'

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const ENTITIES = { '&amp;': '&', '&quot;': '"', '&#x27;': "'", '&#39;': "'", '&lt;': '<', '&gt;': '>' }

const decode = (text) => text.replace(/&(?:amp|quot|lt|gt|#x27|#39);/g, (entity) => ENTITIES[entity])
const attribute = (tag, name) => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : decode(value)
}

/** The first form of a page: where it posts and what it carries unseen. */
export function readForm(html) {
  const form = /<form\b[^>]*>/.exec(html)?.[0]
  if (!form) throw new Error(`no form in the page: ${html.slice(0, 300)}`)
  const hidden = [...html.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)].map(([tag]) => tag)
  return {
    action: attribute(form, 'action'),
    fields: Object.fromEntries(hidden.map((tag) => [attribute(tag, 'name'), attribute(tag, 'value') ?? ''])),
  }
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

export function createBrowser(http) {
  const cookies = new Map()

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

  /** Sends, and follows redirects until there is a page or the server sends the person elsewhere. */
  async function visit(request) {
    const cookie = cookieHeader(request.path)
    const response = await http.send({ ...request, headers: { ...request.headers, ...(cookie && { cookie }) } })
    keep(response.headers['set-cookie'])
    if (!REDIRECTS.has(response.status)) return { page: response }
    const target = new URL(response.headers.location, http.origin + request.path)
    if (target.origin !== http.origin) return { left: target }
    return visit({ path: target.pathname + target.search })
  }

  return { open: (path) => visit({ path }), submit: (path, fields) => visit(formPost(path, fields)) }
}
