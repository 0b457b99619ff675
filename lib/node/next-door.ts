// Next behind the fast door: loaded once the server listens, and waited for only by the requests that need it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { stampSocket } from '../next/address'
import type { Logger } from '../runtime/log'
import type { NodeHandler } from './server'

export type NextDoor = { handle: NodeHandler; prepare(): Promise<void>; close(): Promise<void> }

type Options = { dir: string; dev: boolean; hostname: string; port: number; log: Logger }

export function openNextDoor({ log, ...options }: Options): NextDoor {
  let opening: ReturnType<typeof load> | undefined
  const open = (): ReturnType<typeof load> => {
    opening ??= load(options)
    return opening
  }
  return {
    async handle(request: IncomingMessage, response: ServerResponse) {
      const { handler } = await open()
      stampSocket(request)
      await handler(request, response)
    },
    async prepare() {
      await open().catch((error: unknown) => {
        log.error({ err: error }, 'The pages that Next renders are not available.')
      })
    },
    async close() {
      const opened = await opening?.catch(() => undefined)
      await opened?.app.close()
    },
  }
}

async function load(options: Omit<Options, 'log'>) {
  const { default: next } = await import('next')
  const app = next({ ...options, customServer: true })
  await app.prepare()
  return { app, handler: app.getRequestHandler() }
}
