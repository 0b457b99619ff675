// The older interface of URLs by the package `url`; URL and URLSearchParams are the globals.
import * as legacy from 'url/'
import { toASCII, toUnicode } from './punycode.js'

const isUrl = (value) => typeof globalThis.URL === 'function' && value instanceof globalThis.URL

function format(value, { auth = true, fragment = true, search = true, unicode = false } = {}) {
  if (!isUrl(value)) return legacy.format(value)
  const { protocol, username, password, hostname, port, pathname } = value
  const user = auth && username ? `${username}${password ? `:${password}` : ''}@` : ''
  const host = `${unicode ? toUnicode(hostname) : hostname}${port ? `:${port}` : ''}`
  const start = host || protocol === 'file:' ? `${protocol}//${user}${host}` : protocol
  return `${start}${pathname}${search ? value.search : ''}${fragment ? value.hash : ''}`
}

function fileURLToPath(value) {
  const url = typeof value === 'string' ? new globalThis.URL(value) : value
  if (url.protocol !== 'file:')
    throw Object.assign(new TypeError('The URL must be of scheme file'), { code: 'ERR_INVALID_URL_SCHEME' })
  return decodeURIComponent(url.pathname)
}

function urlToHttpOptions(url) {
  const { protocol, hostname, hash, search, pathname, href, port, username, password } = url
  const options = { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), hash, search, pathname, href }
  options.path = `${pathname || ''}${search || ''}`
  if (port !== '') options.port = Number(port)
  if (username || password) options.auth = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return options
}

export const url = {
  Url: legacy.Url,
  parse: legacy.parse,
  resolve: legacy.resolve,
  resolveObject: legacy.resolveObject,
  format,
  fileURLToPath,
  pathToFileURL: (path) => new globalThis.URL(`file://${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}`),
  urlToHttpOptions,
  domainToASCII: (domain) => toASCII(domain),
  domainToUnicode: (domain) => toUnicode(domain),
  get URL() {
    return globalThis.URL
  },
  get URLSearchParams() {
    return globalThis.URLSearchParams
  },
}
