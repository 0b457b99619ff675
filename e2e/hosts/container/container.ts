// The image of the Dockerfile and a container of it: unprivileged, with a read-only root, on the machine's network.
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Settings } from '../../interop/support/server-process'
import { TENANT } from '../../interop/support/tenant'
import { buildah, podman, run } from './buildah.mjs'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const IMAGE = 'localhost/latchkey-hosts'
/** The path of the tenant file in the container. */
const TENANT_FILE = '/tenant.yaml'

/** The available base image, and the image format that supports health checks. */
export async function makeImage(): Promise<void> {
  const options = ['--quiet', '--format', 'docker', '--isolation', 'chroot', '--network', 'host', '--pull-never']
  await buildah('bud', ...options, '--tag', IMAGE, ROOT)
}

/** All files, including the base's. */
export async function imageSizeMb(): Promise<number> {
  const mounted = (await podman(['image', 'mount', IMAGE])).trim()
  const [bytes = ''] = (await run('du', ['--summarize', '--bytes', mounted])).split('\t')
  await podman(['image', 'unmount', IMAGE])
  return Math.round(Number(bytes) / 1e6)
}

export type Container = {
  port: number
  /** The id of its first process on the machine. */
  pid: number
  /** From the start on a prepared database to the first `ready`. */
  readyAfterMs: number
  /** Runs a program in the container with optional input; returns its output. */
  execute(args: string[], input?: string): Promise<string>
  /** Runs the health check of the image. */
  checkHealth(): Promise<void>
  /** The exit code. */
  stop(signal: string): Promise<number>
  remove(): Promise<void>
}

export async function startContainer(settings: Settings, port: number): Promise<Container> {
  const id = await createContainer({ ...settings, PORT: String(port), APP_URL: `http://localhost:${port}` })
  // The first start migrates the database and applies the tenant file; the second start is measured.
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
  const startedAt = performance.now()
  await podman(['start', id])
  const ended = podman(['wait', id]).then(async () => {
    throw new Error(`the container ended:\n${await podman(['logs', id])}`)
  })
  // From here on it may exit.
  ended.catch(() => {})
  await Promise.race([untilReady(port), ended])
  return Math.round(performance.now() - startedAt)
}

/** The test runs the health check, because podman would use systemd for it. */
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
