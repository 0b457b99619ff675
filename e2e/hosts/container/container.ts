// The image of the Dockerfile, and a container of it: unprivileged, its root read-only, on the machine's own network.
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Settings } from '../../interop/support/server-process'
import { TENANT } from '../../interop/support/tenant'
import { buildah, podman, run } from './buildah.mjs'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const IMAGE = 'localhost/latchkey-hosts'
/** Where the tenant file is inside. */
const TENANT_FILE = '/tenant.yaml'

/** The base is the one that is there, and the format the one that has room for a health check. */
export async function makeImage(): Promise<void> {
  const options = ['--quiet', '--format', 'docker', '--isolation', 'chroot', '--network', 'host', '--pull-never']
  await buildah('bud', ...options, '--tag', IMAGE, ROOT)
}

/** Every file of it, the base's included. */
export async function imageSizeMb(): Promise<number> {
  const mounted = (await podman(['image', 'mount', IMAGE])).trim()
  const [bytes = ''] = (await run('du', ['--summarize', '--bytes', mounted])).split('\t')
  await podman(['image', 'unmount', IMAGE])
  return Math.round(Number(bytes) / 1e6)
}

export type Container = {
  port: number
  /** Of its first process, as the machine numbers it. */
  pid: number
  /** From its start, on a prepared database, to the first `ready`. */
  readyAfterMs: number
  /** Runs a program inside, to its end, with something to read if it wants to; what it printed. */
  execute(args: string[], input?: string): Promise<string>
  /** Runs the check that its image names. */
  checkHealth(): Promise<void>
  /** Its exit code. */
  stop(signal: string): Promise<number>
  remove(): Promise<void>
}

export async function startContainer(settings: Settings, port: number): Promise<Container> {
  const id = await createContainer({ ...settings, PORT: String(port), APP_URL: `http://localhost:${port}` })
  // The first start migrates the database and applies the tenant file: the second is the one that is measured.
  await startAgain(id, port)
  await podman(['stop', id])
  const readyAfterMs = await startAgain(id, port)
  const execute = (args: string[], input?: string) => podman(['exec', '--interactive', id, ...args], { input })
  return {
    port,
    pid: Number(await podman(['inspect', '--format', '{{.State.Pid}}', id])),
    readyAfterMs,
    execute,
    async checkHealth() {
      const [, ...check] = JSON.parse(
        await podman(['image', 'inspect', '--format', '{{json .HealthCheck.Test}}', IMAGE]),
      )
      await execute(check)
    },
    async stop(signal) {
      await podman(['kill', '--signal', signal, id])
      return Number(await podman(['wait', id]))
    },
    async remove() {
      await podman(['rm', '--force', id])
    },
  }
}

/** Milliseconds from the start to the first `ready`. */
async function startAgain(id: string, port: number): Promise<number> {
  const begun = performance.now()
  await podman(['start', id])
  const ended = podman(['wait', id]).then(async () => {
    throw new Error(`the container ended:\n${await podman(['logs', id])}`)
  })
  // Later it may end.
  ended.catch(() => {})
  await Promise.race([untilReady(port), ended])
  return Math.round(performance.now() - begun)
}

/** Its health is asked for by the test: podman would have systemd do that. */
async function createContainer(settings: Settings): Promise<string> {
  const variables = { ...settings, LATCHKEY_CONFIG: TENANT_FILE }
  const environment = Object.entries(variables).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const options = ['--read-only', '--network', 'host', '--ulimit', 'host', '--no-healthcheck']
  const tenant = ['--volume', `${TENANT.LATCHKEY_CONFIG}:${TENANT_FILE}:ro`]
  return (await podman(['create', ...options, ...tenant, ...environment, IMAGE])).trim()
}

async function untilReady(port: number): Promise<void> {
  const isReady = () =>
    fetch(`http://localhost:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) await sleep(20)
}
