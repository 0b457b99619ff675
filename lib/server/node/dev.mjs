// `npm run dev`: the server, rebuilt and restarted after every change of its sources, with Next in development mode behind it.
import './launch/node-version.mjs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { bundleOptions, SERVER, writeOwnParts } from './build.mjs'
import { ensureGenerated } from './generate.mjs'
import { ensureDependencies } from './launch/dependencies.mjs'
import { loadEnvFile } from './launch/env-file.mjs'
import { inRoot, root } from './launch/root.mjs'
import { launch } from './launch/step.mjs'

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
  const { context } = await import('esbuild')
  const bundler = await context({
    ...bundleOptions(SERVER),
    plugins: [{ name: 'restart', setup: (build) => build.onEnd(restartAfter) }],
  })
  await bundler.watch()
})

function restartAfter({ errors }) {
  if (errors.length > 0 || stopping) return
  restarts = restarts.then(async () => {
    await Promise.all([endChild('SIGTERM'), writeOwnParts()])
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
