// The static files of our own pages, served from memory: the compiled style sheets under names with their digests, and the files in
// public/.
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { digest } from '../../kernel/secret'
import type { PageAssets } from '../../pages/view'

export type StaticFiles = {
  assets: PageAssets
  /** Serves the path if it is one of the files. Returns whether it did. */
  serve(incoming: IncomingMessage, outgoing: ServerResponse, path: string): boolean
}

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}

type StaticFile = { body: Buffer; type: string; etag: string; cache: string }

const IMMUTABLE = 'public, max-age=31536000, immutable'
const BRIEFLY = 'public, max-age=3600'

export function loadStaticFiles(publicDir: string, builtDir: string): StaticFiles {
  const files = new Map<string, StaticFile>()
  for (const name of readdirSync(publicDir)) {
    const type = TYPES[extname(name)]
    if (type) files.set(`/${name}`, fileOf(readFileSync(join(publicDir, name)), type, BRIEFLY))
  }
  const styleSheet = (name: string): string => {
    const css = fileOf(readFileSync(join(builtDir, `${name}.css`)), 'text/css; charset=utf-8', IMMUTABLE)
    const path = `/u/${name}.${css.etag.slice(1, 11)}.css`
    files.set(path, css)
    return path
  }
  return {
    assets: { stylesheet: styleSheet('hosted'), themed: styleSheet('themed'), script: '/comfort.js' },
    serve: (incoming, outgoing, path) => serve(files.get(path), incoming, outgoing),
  }
}

const fileOf = (body: Buffer, type: string, cache: string): StaticFile => ({
  body,
  type,
  cache,
  etag: `"${digest(body).toString('base64url').slice(0, 20)}"`,
})

function serve(file: StaticFile | undefined, { method, headers }: IncomingMessage, outgoing: ServerResponse): boolean {
  if (!file || (method !== 'GET' && method !== 'HEAD')) return false
  const common = { 'cache-control': file.cache, etag: file.etag, 'x-content-type-options': 'nosniff' }
  if (headers['if-none-match'] === file.etag) {
    outgoing.writeHead(304, common).end()
    return true
  }
  outgoing.writeHead(200, { ...common, 'content-type': file.type, 'content-length': file.body.length })
  outgoing.end(method === 'HEAD' ? undefined : file.body)
  return true
}
