// Next behind the fast door: loaded when the first request needs it, or by itself shortly after the server began to
// listen. Loading it blocks the process for a good part of a second, so what came with the start is answered first.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { stampSocket } from '../next/address'
import type { Logger } from '../runtime/log'
import type { NodeHandler } from './server'

export type NextDoor = {
  handle: NodeHandler
  /** Loads it soon, if no request does before. */
  prepareSoon(): void
  close(): Promise<void>
}

const SOON_MS = 500

type Options = { dir: string; dev: boolean; hostname: string; port: number; log: Logger }

export function openNextDoor({ log, ...options }: Options): NextDoor {
  let opening: ReturnType<typeof load> | undefined
  let waiting: NodeJS.Timeout | undefined
  const open = (): ReturnType<typeof load> => {
    clearTimeout(waiting)
    opening ??= load(options)
    return opening
  }
  return {
    async handle(request: IncomingMessage, response: ServerResponse) {
      const { handler } = await open()
      stampSocket(request)
      await handler(request, response)
    },
    prepareSoon() {
      waiting = setTimeout(() => {
        open().catch((error: unknown) => log.error({ err: error }, 'The pages that Next renders are not available.'))
      }, SOON_MS)
    },
    async close() {
      clearTimeout(waiting)
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
