// Without access to a registry: an image that replaces node:24-bookworm-slim, so that the Dockerfile is built unchanged. It is
// Debian's minimal system from debootstrap with Node.js and npm from npm, with the layout of the real image.
import { access, appendFile, cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodePackage } from '../node-binaries.mjs'
import { buildah, run } from './buildah.mjs'

export const BASE = 'docker.io/library/node:24-bookworm-slim'
const DEBIAN = 'http://deb.debian.org/debian'

/** Also omitted from Debian's slim images. */
const LEFT_OUT = [
  'var/cache/apt',
  'var/lib/apt/lists',
  'usr/share/doc',
  'usr/share/man',
  'usr/share/info',
  'usr/share/locale',
]

/** @returns {Promise<string>} where the image comes from, for the report */
export async function ensureBase() {
  if (await succeeds(() => buildah('inspect', '--type', 'image', LOCAL))) return MADE_HERE
  if (await succeeds(() => buildah('pull', '--quiet', BASE))) return 'node:24-bookworm-slim from the registry'
  await makeBase()
  return MADE_HERE
}

const LOCAL = 'localhost/latchkey-hosts-base'
const MADE_HERE = 'debootstrap bookworm and Node.js from npm, in the place of node:24-bookworm-slim'

const succeeds = (work) =>
  work().then(
    () => true,
    () => false,
  )

async function makeBase() {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-base-'))
  try {
    await run('debootstrap', ['--variant=minbase', 'bookworm', folder, DEBIAN])
    await Promise.all(LEFT_OUT.map((path) => rm(join(folder, path), { recursive: true, force: true })))
    await addNode(folder)
    await appendFile(join(folder, 'etc/passwd'), 'node:x:1000:1000::/home/node:/bin/bash\n')
    await appendFile(join(folder, 'etc/group'), 'node:x:1000:\n')
    await mkdir(join(folder, 'home/node'))
    await run('chown', ['1000:1000', join(folder, 'home/node')])
    await commit(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function addNode(folder) {
  const packages = await mkdtemp(join(tmpdir(), 'latchkey-base-node-'))
  const options = ['--prefix', packages, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  await run('npm', ['install', ...options, `${nodePackage()}@24`, 'npm@11'])
  const local = join(folder, 'usr/local')
  await mkdir(join(local, 'lib/node_modules'), { recursive: true })
  await cp(join(packages, 'node_modules', nodePackage(), 'bin'), join(local, 'bin'), { recursive: true })
  await cp(join(packages, 'node_modules/npm'), join(local, 'lib/node_modules/npm'), { recursive: true })
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  await rm(packages, { recursive: true })
}

/** If the machine's proxy has its own certificate authority, npm needs it inside the image as well. */
async function commit(folder) {
  const certificates = process.env.NODE_EXTRA_CA_CERTS
  const trust = []
  if (certificates && (await succeeds(() => access(certificates)))) {
    await mkdir(join(folder, 'etc/ssl/certs'), { recursive: true })
    await cp(certificates, join(folder, 'etc/ssl/certs/ca-certificates.crt'), { dereference: true })
    trust.push('--env', 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt')
  }
  const container = (await buildah('from', 'scratch')).trim()
  await buildah('add', '--quiet', container, folder, '/')
  await buildah('config', ...trust, '--cmd', 'node', container)
  await buildah('commit', '--quiet', '--rm', container, LOCAL)
  await buildah('tag', LOCAL, BASE)
}
