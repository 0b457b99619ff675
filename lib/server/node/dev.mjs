// `npm run dev`: the server, rebuilt and restarted after every change of its sources, with Next in development mode behind it.
import './launch/node-version.mjs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, watch } from 'node:fs/promises'
import { bundleOptions, SERVER } from './build.mjs'
import { writeExplorer } from './explorer.mjs'
import { ensureGenerated } from './generate.mjs'
import { ensureDependencies } from './launch/dependencies.mjs'
import { loadEnvFile } from './launch/env-file.mjs'
import { inRoot, root } from './launch/root.mjs'
import { launch } from './launch/step.mjs'
import { writePlatform } from './platform.mjs'
import { writeXmlThread } from './xml-thread.mjs'

let child
let stopping = false
let restarts = Promise.resolve()

await launch(async () => {
  process.chdir(root)
  loadEnvFile()
  await ensureDependencies({ development: true })
  await ensureGenerated()
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(signal))
  // A development build must not count as a finished build.
  await rm(inRoot('dist', 'server.stamp'), { force: true })
  await writeCss()
  const { context } = await import('esbuild')
  const bundler = await context({
    ...bundleOptions(SERVER),
    plugins: [{ name: 'restart', setup: (build) => build.onEnd(restartAfter) }],
  })
  await bundler.watch()
  void watchLooks()
})

function restartAfter({ errors }) {
  if (errors.length > 0 || stopping) return
  restarts = restarts.then(async () => {
    await Promise.all([endChild('SIGTERM'), writeXmlThread(), writePlatform(), writeExplorer()])
    if (stopping) return
    child = spawn(process.execPath, ['--enable-source-maps', inRoot('dist', 'server.js'), '--dev'], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, NODE_ENV: 'development' },
    })
  })
}

async function endChild(signal) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

async function stop(signal) {
  stopping = true
  await endChild(signal)
  process.exit(0)
}

/** A class name used for the first time in a component requires a new style sheet. */
async function watchLooks() {
  for await (const _ of watch(inRoot('components'), { recursive: true })) await writeCss()
}

async function writeCss() {
  const { writeStyleSheets } = await import('./css.mjs')
  await mkdir(inRoot('dist'), { recursive: true })
  await writeStyleSheets(inRoot('dist'))
}
