// Bundles the interfaces of the web and of Node.js that actions get (lib/identity/tenant-code/platform) as dist/action-platform.js: one function, evaluated in
// the sandbox. The build, the development server, `next build` and the tests write it.
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { inRoot, root } from './launch/root.mjs'

/** What the packages require is the platform's own. */
const REPLACED = {
  buffer: 'buffer.js',
  events: 'events.js',
  qs: 'querystring.js',
  'process/': 'process.js',
  'abort-controller': 'abort.js',
}
const replacing = {
  name: 'replacing',
  setup({ onResolve }) {
    onResolve({ filter: /^(buffer|events|qs|process\/|abort-controller)$/ }, ({ path }) => ({
      path: inRoot('lib/identity/tenant-code/platform/node', REPLACED[path]),
    }))
  },
}

export async function writePlatform() {
  const { build } = await import('esbuild')
  const draft = inRoot('dist', `action-platform.${process.pid}.js`)
  await mkdir(inRoot('dist'), { recursive: true })
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['lib/identity/tenant-code/platform/index.js'],
    write: false,
    bundle: true,
    platform: 'neutral',
    mainFields: ['browser', 'module', 'main'],
    plugins: [replacing],
    target: 'es2022',
    format: 'cjs',
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: 'warning',
  })
  const [{ text }] = outputFiles
  await writeFile(
    draft,
    `(function (sys) { const module = { exports: {} }; let exports = module.exports;\n${text}\nreturn module.exports.platform(sys) })`,
  )
  await rename(draft, inRoot('dist', 'action-platform.js'))
}
