// Loaded before npm. npm takes more than a registry for a source of packages: a dependency of a dependency may name any address, or a repository
// of git. Here npm starts no program, and requests nothing but the registries of its configuration and what these redirect to.
import childProcess from 'node:child_process'
import http from 'node:http'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'

const origins = new URL(import.meta.url).searchParams.getAll('origin')
const redirected = new Set()

const refused = (what) => Object.assign(new Error(what), { code: 'EOUTSIDE' })

for (const name of ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'])
  childProcess[name] = () => {
    throw refused('a program')
  }

function urlOf(target) {
  if (typeof target === 'string' || target instanceof URL) return new URL(target)
  const { protocol = 'http:', hostname, host = hostname, port, path = '/' } = target
  const url = new URL(`${protocol}//${hostname ?? host}`)
  if (port) url.port = String(port)
  return new URL(path, url)
}

function guarded(request) {
  return (target, ...rest) => {
    const url = urlOf(target)
    if (!origins.includes(url.origin) && !redirected.has(url.href)) throw refused(url.host)
    const sent = request(target, ...rest)
    sent.once('response', ({ statusCode, headers: { location } }) => {
      if (statusCode < 300 || statusCode >= 400 || !location || !URL.canParse(location, url.href)) return
      const next = new URL(location, url.href)
      if (next.protocol === 'https:' || url.protocol === 'http:') redirected.add(next.href)
    })
    return sent
  }
}

for (const module of [http, https]) {
  const { request } = module
  module.request = guarded(request)
  module.get = () => {
    throw refused('another way to request')
  }
}
globalThis.fetch = () => Promise.reject(refused('another way to request'))
syncBuiltinESMExports()
