// A registry of npm over HTTP: serves the packages that a test publishes, also those that no honest client would make.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, relative } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { vi } from 'vitest'

type Manifest = Record<string, unknown> & { name: string; version: string }

/** A file's text, or the target of a symbolic link. */
type Files = Readonly<Record<string, string | { link: string }>>

export type Registry = {
  /** With a slash at its end, as npm writes it. */
  url: string
  publish(manifest: Manifest, files: Files, dist?: Record<string, unknown>): void
  /** The paths that were requested, and the bodies of advisory requests. */
  requests: { path: string; body: string; token: string | undefined }[]
  advisories: Record<string, unknown[]>
  /** Sends this in place of an answer. */
  status: number | undefined
  close(): Promise<void>
}

type Document = { name: string; versions: Record<string, unknown>; 'dist-tags': Record<string, string> }

/** It is the one that the configuration of npm names, until it is closed. */
export async function openRegistry(): Promise<Registry> {
  const documents = new Map<string, Document>()
  const tarballs = new Map<string, Buffer>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const path = decodeURIComponent(request.url ?? '')
    const sent = Buffer.concat(chunks)
    const body = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent).toString()
    registry.requests.push({ path, body, token: request.headers.authorization })
    const json = (value: unknown): unknown =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    const tarball = tarballs.get(path)
    if (registry.status !== undefined) response.writeHead(registry.status).end('{}')
    else if (path === '/-/npm/v1/security/advisories/bulk') json(registry.advisories)
    else if (tarball) response.writeHead(200).end(tarball)
    else if (documents.has(path.slice(1))) json(documents.get(path.slice(1)))
    else response.writeHead(404).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

  vi.stubEnv('npm_config_registry', url)

  const registry: Registry = {
    url,
    requests: [],
    advisories: {},
    status: undefined,
    publish(manifest, files, dist) {
      const { name, version } = manifest
      const tarball = pack({ 'package.json': JSON.stringify(manifest), ...files })
      const path = `/${name}/-/${name.split('/').at(-1)}-${version}.tgz`
      tarballs.set(path, tarball)
      const document: Document = documents.get(name) ?? { name, versions: {}, 'dist-tags': {} }
      const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
      document.versions[version] = { ...manifest, dist: { tarball: `${url}${path.slice(1)}`, integrity, ...dist } }
      document['dist-tags'].latest = version
      documents.set(name, document)
    },
    async close() {
      vi.unstubAllEnvs()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return registry
}

const BLOCK = 512

/** A tarball as npm makes it: everything lies in `package/`. */
function pack(files: Files): Buffer {
  const entries = Object.entries(files).flatMap(([path, content]) => {
    const body = typeof content === 'string' ? Buffer.from(content) : Buffer.alloc(0)
    const padding = Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK)
    return [header(`package/${path}`, body.length, typeof content === 'string' ? '' : content.link), body, padding]
  })
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]))
}

/** POSIX.1-1988, "ustar". */
function header(path: string, size: number, link: string): Buffer {
  const block = Buffer.alloc(BLOCK)
  const split = path.length > 100 ? path.lastIndexOf('/', path.length - 100 + path.slice(-100).indexOf('/')) : -1
  const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`
  block.write(path.slice(split + 1), 0)
  block.write(octal(0o644, 8), 100)
  block.write(octal(0, 8) + octal(0, 8) + octal(size, 12) + octal(0, 12), 108)
  block.write('        ', 148)
  block.write(link === '' ? '0' : '2', 156)
  block.write(link, 157)
  block.write('ustar\x0000', 257)
  if (split > 0) block.write(path.slice(0, split), 345)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(octal(sum, 7), 148)
  return block
}

/** Publishes a package that is installed here, with what it depends on. `published`: the folders of those that are. */
export async function publishInstalled(
  registry: Registry,
  name: string,
  from = process.cwd(),
  published = new Set<string>(),
): Promise<void> {
  const folder = await folderOf(name, from)
  if (published.has(folder)) return
  published.add(folder)
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const { name: own, version, main, module, type, exports, imports, browser, dependencies = {} } = manifest
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = files
    .filter((file) => file.isFile() && /\.(c|m)?js(on)?$/.test(file.name))
    .map((file) => relative(folder, join(file.parentPath, file.name)))
    .filter((path) => path !== 'package.json' && !path.startsWith('node_modules'))
  const read = await Promise.all(texts.map(async (path) => [path, await readFile(join(folder, path), 'utf8')]))
  registry.publish(
    { name: own, version, main, module, type, exports, imports, browser, dependencies },
    Object.fromEntries(read),
  )
  for (const dependency of Object.keys(dependencies)) await publishInstalled(registry, dependency, folder, published)
}

async function folderOf(name: string, from: string): Promise<string> {
  const folder = join(from, 'node_modules', name)
  const found = await readdir(folder).catch(() => null)
  if (found) return folder
  const above = dirname(from)
  return above === from ? Promise.reject(new Error(`${name} is not installed`)) : folderOf(name, above)
}
